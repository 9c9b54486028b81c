/** No colour of text stands out from its ground by less than 4.5 to 1, in light and in dark, and what has the focus is outlined. */
export const style = `
:root{color-scheme:light dark;--ground:#fff;--raised:#f4f5f7;--text:#1a1a1a;--faint:#4f5560;--line:#c9cdd4;--edge:#5f6368;--accent:#0b57d0;--on-accent:#fff;--bad:#a8201a;--bad-ground:#fdeceb;--good:#146c2e;--note:#fff4d6;font:16px/1.5 system-ui,sans-serif;color:var(--text);background:var(--ground)}
@media (prefers-color-scheme:dark){:root{--ground:#16181c;--raised:#212429;--text:#e6e8eb;--faint:#a9b0bb;--line:#3a3f47;--edge:#8a919c;--accent:#8ab4f8;--on-accent:#0b1a33;--bad:#ff9d94;--bad-ground:#3b1f1d;--good:#7fd494;--note:#3a3116}}
*,::before,::after{box-sizing:border-box}
body{margin:0}
header{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center;justify-content:space-between;padding:.5rem 1.25rem;background:var(--raised);border-bottom:1px solid var(--line)}
header nav{display:flex;flex-wrap:wrap;gap:.25rem}
header nav a{padding:.5rem .75rem;border-radius:.375rem;color:var(--text);text-decoration:none;font-weight:600}
header nav a:hover{text-decoration:underline}
header nav a[aria-current]{color:var(--on-accent);background:var(--accent)}
.signed-in{color:var(--faint);margin-right:.5rem}
main,noscript p{display:block;max-width:72rem;margin:0 auto;padding:1.25rem}
main[aria-busy]{opacity:.6}
h1{font-size:1.5rem;line-height:1.25;margin:.5rem 0 1rem;overflow-wrap:anywhere}
h1:focus{outline:none}
h2{font-size:1.15rem;margin:2rem 0 .5rem;overflow-wrap:anywhere}
p{margin:.5rem 0;overflow-wrap:anywhere}
a{color:var(--accent)}
code,pre,.secret{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9em}
code{overflow-wrap:anywhere}
pre{padding:.75rem 1rem;overflow:auto;max-height:30rem;background:var(--raised);border:1px solid var(--line);border-radius:.375rem}
.hint{color:var(--faint);margin:.25rem 0}
.field{margin:0 0 1rem}
.field input,.field select{width:100%;max-width:34rem}
.fields{display:flex;flex-wrap:wrap;gap:0 1rem;align-items:end}
.fields .field{flex:1 1 11rem}
.fields button{margin-bottom:1rem}
label,legend{display:block;font-weight:600;margin:0 0 .25rem}
fieldset{border:1px solid var(--line);border-radius:.375rem;margin:0 0 1rem;padding:.5rem 1rem;max-width:34rem}
.choice{font-weight:400;padding:.25rem 0;cursor:pointer}
input,select{min-height:2.5rem;padding:.4rem .6rem;font:inherit;color:inherit;background:var(--ground);border:1px solid var(--edge);border-radius:.375rem}
.field input[type=checkbox],.choice input{width:auto;min-height:0;width:1.1rem;height:1.1rem;vertical-align:-.15rem}
button{min-height:2.5rem;padding:.4rem 1rem;font:inherit;font-weight:600;color:var(--on-accent);background:var(--accent);border:1px solid var(--accent);border-radius:.375rem;cursor:pointer}
button.plain,button.danger{color:var(--text);background:transparent;border-color:var(--edge)}
button.danger{color:var(--bad);border-color:var(--bad)}
button:disabled{opacity:.6;cursor:default}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.actions{display:inline-flex;flex-wrap:wrap;gap:.5rem}
td .actions button{min-height:2rem;padding:.15rem .6rem;font-size:.9rem}
table{width:100%;border-collapse:collapse;margin:1rem 0}
caption{text-align:left;color:var(--faint);padding:0 0 .5rem}
th,td{padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:anywhere;min-width:5.5rem;font-weight:400}
thead th{font-weight:600;overflow-wrap:normal}
tbody th,td time{white-space:nowrap}
tbody th{white-space:normal;min-width:8rem}
tbody th time{white-space:nowrap}
.amount{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap;padding-right:1.5rem}
.good{color:var(--good)}
.bad{color:var(--bad)}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(17rem,100%),1fr));gap:.75rem 1.5rem;margin:1rem 0}
dt{color:var(--faint)}
dd{margin:0;overflow-wrap:anywhere}
.figure{font-size:1.5rem;font-variant-numeric:tabular-nums}
.pager{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;margin:1rem 0}
.unavailable{color:var(--faint)}
.failure{margin:1rem 0;padding:.75rem 1rem;border-left:4px solid var(--bad);background:var(--bad-ground)}
.failure-message{font-weight:600}
.failure .facts{margin:.75rem 0 0;font-size:.9rem}
.issued{margin:1rem 0;padding:.25rem 1rem 1rem;border-left:4px solid var(--accent);background:var(--note)}
.issued h2{margin-top:.75rem}
.secret{font-size:1.05rem;user-select:all}
.copy .hint{margin-left:.75rem}
.tools{padding-left:1.5rem}
.tools li{margin:0 0 1.25rem;padding-left:.25rem}
.tools h2{margin:0}
dialog{width:34rem;max-width:calc(100% - 2rem);color:var(--text);background:var(--ground);border:1px solid var(--edge);border-radius:.5rem;padding:1.25rem}
dialog::backdrop{background:rgb(0 0 0/.5)}
dialog h2{margin:0 0 .5rem}
summary{cursor:pointer;margin:1.5rem 0 .5rem;font-weight:600}
@media (max-width:44rem){
header{padding:.5rem}
header nav a{padding:.4rem .6rem}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table,caption,tbody,tr,tbody th,td{display:block}
tr{padding:.75rem 0;border-bottom:1px solid var(--line)}
tbody th,td{border:0;padding:.1rem 0}
tbody th{font-weight:600}
td::before{content:attr(data-title) ": ";color:var(--faint)}
.amount{text-align:left;padding-right:0}
}
`;
