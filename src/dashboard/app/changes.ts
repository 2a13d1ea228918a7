/** Something that several runs change: asked whether it has, every now and then, while somebody looks at the page. */
import { useEffect, useState } from 'preact/hooks';
import { ask } from './answer.ts';

const LOOK_MS = 1500;

/** A number that grows with every change of the version at the path. */
export function useChanges(path: string | null): number {
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    if (path === null) return;
    const control = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let known: string | undefined;
    const look = async () => {
      // A page in the background draws nothing.
      if (document.visibilityState === 'visible') {
        // A server that is gone for a moment is asked again; the page itself says so when it is asked for more.
        const said = await ask<{ version: string }>(path, control.signal).catch(() => null);
        if (control.signal.aborted) return;
        if (said && known !== undefined && said.version !== known) setChanges((n) => n + 1);
        known = said?.version ?? known;
      }
      timer = setTimeout(look, LOOK_MS);
    };
    look();
    return () => {
      control.abort();
      clearTimeout(timer);
    };
  }, [path]);
  return changes;
}
