/** The page around the figures. Sizes are in rem, and rem grows with the screen, so a wall shows the page a phone shows. */
export const PAGE_STYLE: string = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#555d66;--rule:#dfe3e7;--paper:#fff;--tint:#f5f7f9;--shade:rgb(27 31 36/.18);font-size:clamp(15px,.5vw + 9.5px,29px)}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e8ecf0;--soft:#a3adb8;--rule:#2b3138;--paper:#15191e;--tint:#1d2228;--shade:rgb(255 255 255/.16)}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:82rem;margin:0 auto;padding:1.5rem clamp(1rem,3vw,2.5rem) 4rem}
h1{font-size:1.75rem;line-height:1.2;margin:.5rem 0 1rem;overflow-wrap:anywhere}
h2{font-size:1.25rem;margin:2.75rem 0 .75rem;padding-top:1rem;border-top:1px solid var(--rule)}
h3{font-size:1.06rem;margin:0}
p,li{max-width:48rem}
.lead{font-size:1.09rem;line-height:1.55;overflow-wrap:anywhere}
pre{margin:0;padding:.7rem .9rem;background:var(--tint);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.87rem}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
dl{display:flex;flex-wrap:wrap;gap:.5rem 2rem;margin:1rem 0 1.5rem;font-size:.87rem}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
.scroll{overflow-x:auto;margin:1rem 0 1.5rem;background:linear-gradient(270deg,var(--paper) 40%,transparent) 100% 0/2rem 100% no-repeat local,linear-gradient(270deg,var(--shade),transparent) 100% 0/.7rem 100% no-repeat scroll}.scroll+figure{margin-top:2.75rem}
table{border-collapse:collapse;font-size:.87rem;font-variant-numeric:tabular-nums;min-width:min(100%,40rem)}
caption{text-align:left;color:var(--soft);padding-bottom:.5rem;max-width:min(48rem,calc(100vw - 2.25rem))}
th,td{padding:.38rem .9rem .38rem 0;text-align:right;white-space:nowrap;border-bottom:1px solid var(--rule);vertical-align:baseline}
thead th{font-weight:500;color:var(--soft);white-space:normal;vertical-align:bottom}
thead th:first-child,tbody th{position:sticky;left:0;background:var(--paper)}
tbody th{font-weight:600;white-space:normal;overflow-wrap:break-word;min-width:9rem;max-width:16rem}
.words{text-align:left}td.words{white-space:normal;min-width:8rem}
figure{margin:0 0 2.75rem}
figcaption p{margin:.2rem 0 .6rem;color:var(--soft);font-size:.93rem}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0 0 .9rem;padding:0;font-size:.87rem}
.legend li{display:flex;align-items:center;gap:.4rem}.legend svg{flex:none;width:1.9rem;height:auto}
.panels{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,21rem),1fr));gap:1.5rem 1.75rem;align-items:start}.panels.even{grid-template-columns:repeat(auto-fit,minmax(min(100%,21rem),1fr));max-width:52rem}.panels.even svg:only-child{max-width:25rem}
.panels svg{display:block;width:100%;height:auto;overflow:visible}
.absent{padding:.8rem 1rem;border:1px dashed var(--rule);border-radius:6px;color:var(--soft)}
@page{margin:14mm;size:A4 landscape}
@media print{
:root{font-size:10pt}main{max-width:none;padding:0}
figure,tr{break-inside:avoid}h2,h3{break-after:avoid}
.scroll{overflow:visible;background:none}.panels{grid-template-columns:repeat(3,1fr);gap:4mm}
}
`.trim();
