/** What a page must show as text and nothing else. Nothing here is part of the package. */

/** HTML, script, SQL, a URL that would run, control and bidirectional characters, half a character, a template. */
export const HOSTILE: string =
  `<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1"><svg onload=alert(1)>` +
  `'; DROP TABLE tasks; -- " javascript:alert(1) \${7*7} {{7*7}} &lt;b&gt; ` +
  `\x1b[31m \u202egnp.exe\u202c \u200b\u2028 \0 \ud800 \u{e0041} %00 ../../etc/passwd end`;
