import type { PageView } from './page-view.js';

/** No colour of text stands out from its ground by less than 4.5 to 1, and what has the focus is outlined. */
export const style = `
:root{color-scheme:light;font:16px/1.5 system-ui,sans-serif;color:#1a1a1a;background:#fff}
body{margin:0}
main{max-width:34rem;margin:0 auto;padding:2rem 1.25rem}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 1rem}
h2{font-size:1.15rem;margin:2rem 0 .5rem}
label{display:block;font-weight:600;margin:1rem 0 .25rem}
input{box-sizing:border-box;width:100%;min-height:2.75rem;padding:.5rem .75rem;font:inherit;color:inherit;background:#fff;border:1px solid #5f6368;border-radius:.375rem}
button{min-height:2.75rem;margin:1rem .75rem 0 0;padding:.5rem 1.25rem;font:inherit;font-weight:600;color:#fff;background:#0b57d0;border:1px solid #0b57d0;border-radius:.375rem;cursor:pointer}
button.other{color:#1a1a1a;background:#fff;border-color:#5f6368}
input:focus-visible,button:focus-visible{outline:3px solid #0b57d0;outline-offset:2px}
.code{font:600 1.6rem/1.5 ui-monospace,monospace;letter-spacing:.15em}
.hint{margin:.25rem 0 0;color:#4a4a4a}
.problem,.warning{padding:.75rem 1rem;border-left:4px solid #b3261e;background:#fdeceb}
.warning{border-color:#7a5900;background:#fff4d6}
dt{font-weight:600;margin-top:.75rem}
dd{margin:0;overflow-wrap:anywhere}
`;

const problem = `<% if (it.view.problem) { %><p class="problem" id="problem" role="alert"><%= it.t.problems[it.view.problem] %></p><% } %>`;
const described = `<% if (it.view.problem) { %> aria-invalid="true" aria-describedby="problem"<% } %>`;
const userCode = `<input type="hidden" name="user_code" value="<%= it.view.userCode %>">`;

const enterCode = `
<h1><%= it.t.enterCode.heading %></h1>
<p><%= it.t.enterCode.intro %></p>
${problem}
<form method="post" action="<%= it.path %>">
<label for="user_code"><%= it.t.enterCode.label %></label>
<input id="user_code" name="user_code" class="code" value="<%= it.view.userCode %>" required maxlength="20" autocomplete="off" autocapitalize="characters" spellcheck="false" autofocus${described}>
<button><%= it.t.enterCode.next %></button>
</form>`;

const signIn = `
<h1><%= it.t.signIn.heading %></h1>
<p><%= it.t.signIn.intro(it.view.clientName) %></p>
${problem}
<h2><%= it.t.signIn.keyHeading %></h2>
<form method="post" action="<%= it.path %>/key">
${userCode}
<label for="api_key"><%= it.t.signIn.keyLabel %></label>
<input id="api_key" name="api_key" type="password" required maxlength="200" autocomplete="off" spellcheck="false"<% if (it.view.tried === 'key') { %> aria-invalid="true" aria-describedby="problem key_hint"<% } else { %> aria-describedby="key_hint"<% } %><% if (it.view.tried !== 'mail') { %> autofocus<% } %>>
<p class="hint" id="key_hint"><%= it.t.signIn.keyHint %></p>
<button><%= it.t.signIn.keyNext %></button>
</form>
<% if (it.view.mails) { %>
<h2><%= it.t.signIn.mailHeading %></h2>
<form method="post" action="<%= it.path %>/email">
${userCode}
<label for="email"><%= it.t.signIn.mailLabel %></label>
<input id="email" name="email" type="email" value="<%= it.view.email %>" required maxlength="254" autocomplete="email"<% if (it.view.tried === 'mail') { %> aria-invalid="true" aria-describedby="problem email_hint" autofocus<% } else { %> aria-describedby="email_hint"<% } %>>
<p class="hint" id="email_hint"><%= it.t.signIn.mailHint %></p>
<button><%= it.t.signIn.mailNext %></button>
</form>
<% } %>`;

const mailedCode = `
<h1><%= it.t.mailedCode.heading %></h1>
<p><%= it.t.mailedCode.intro(it.view.email) %></p>
${problem}
<form method="post" action="<%= it.path %>/email-code">
${userCode}
<input type="hidden" name="email" value="<%= it.view.email %>">
<label for="code"><%= it.t.mailedCode.label %></label>
<input id="code" name="code" class="code" required inputmode="numeric" pattern="[0-9]{6}" maxlength="6" autocomplete="one-time-code" autofocus${described}>
<button><%= it.t.mailedCode.next %></button>
</form>
<form method="post" action="<%= it.path %>/email">
${userCode}
<input type="hidden" name="email" value="<%= it.view.email %>">
<button class="other"><%= it.t.mailedCode.again %></button>
</form>`;

const consent = `
<h1><%= it.t.consent.heading(it.view.clientName) %></h1>
<dl>
<dt><%= it.t.consent.code %></dt><dd class="code"><%= it.view.userCode %></dd>
<dt><%= it.t.consent.scopes %></dt><% it.view.scopes.forEach((scope) => { %><dd><%= it.t.scopes[scope] %> (<code><%= scope %></code>)</dd><% }) %>
<% if (it.view.leftOut.length > 0) { %><dt><%= it.t.consent.leftOut %></dt><% it.view.leftOut.forEach((scope) => { %><dd><%= it.t.scopes[scope] %> (<code><%= scope %></code>)</dd><% }) %><% } %>
<dt><%= it.t.consent.resource %></dt><dd><%= it.view.resource %></dd>
<dt><%= it.t.consent.as %></dt><dd><%= it.view.signedInAs %></dd>
</dl>
<p><%= it.t.consent.lasts(it.view.days) %></p>
<p class="warning"><%= it.t.consent.warning %></p>
<form method="post" action="<%= it.path %>/decision">
<input type="hidden" name="signed_in" value="<%= it.view.statement %>">
<button name="decision" value="approve"><%= it.t.consent.approve %></button>
<button name="decision" value="deny" class="other"><%= it.t.consent.deny %></button>
</form>`;

const ended = `
<h1><%= it.t[it.view.kind].heading %></h1>
<p role="status"><%= it.t[it.view.kind].text %></p>`;

/** In the language of Eta; `it` has the view, the texts `t`, the language, the style, and the path of the page. */
export const templates: Readonly<Record<PageView['kind'], string>> = {
  enter_code: enterCode,
  sign_in: signIn,
  mailed_code: mailedCode,
  consent,
  approved: ended,
  denied: ended,
};

export const layout = (content: string): string => `<!doctype html>
<html lang="<%= it.language %>">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title><%= it.t.title %></title>
<style><%~ it.style %></style>
</head>
<body>
<main>${content}
</main>
</body>
</html>
`;
