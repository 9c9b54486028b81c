import { REFERENCE_PATH } from '../reference/page.js';

export const CONSOLE_PATH = '/console';
export const CONSOLE_ASSETS_PATH = `${CONSOLE_PATH}/assets`;
export const STYLE_NAME = 'console.css';

/** The scripts of the page: `main.js` of `apps/gateway/console`, and all that it imports. */
export const moduleNames: readonly string[] = [
  'main.js',
  'amounts.js',
  'api-failure.js',
  'api.js',
  'confirm.js',
  'copy-button.js',
  'credits-view.js',
  'curl.js',
  'elements.js',
  'failure-panel.js',
  'issued-key.js',
  'json.js',
  'key-form.js',
  'key-outcome.js',
  'keys-view.js',
  'ledger-table.js',
  'ledger-view.js',
  'pager.js',
  'place.js',
  'search-view.js',
  'sign-in.js',
  'table.js',
  'times.js',
  'tool-view.js',
  'usage-event-view.js',
  'usage-view.js',
];

/**
 * The page asks its own origin alone and is framed by nobody. With trusted types a browser refuses to make elements or
 * scripts of a text, so that a name of a tool cannot become either, even by a mistake of the page.
 */
export const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const preloads = moduleNames
  .map((name) => `<link rel="modulepreload" href="${CONSOLE_ASSETS_PATH}/${name}">`)
  .join('\n');

/** Everything that can be seen is made by the scripts: without them there is no form that could send a key anywhere. */
export const renderConsole = (): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Capability router: console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${CONSOLE_ASSETS_PATH}/${STYLE_NAME}">
${preloads}
<script type="module" src="${CONSOLE_ASSETS_PATH}/main.js"></script>
</head>
<body>
<noscript><p>This page needs scripts, which your browser does not run here. Allow them for this address, or read the same by
<code>caprouter usage</code>, <code>caprouter ledger</code> and the requests in the <a href="${REFERENCE_PATH}">reference</a>.</p></noscript>
<div id="console"></div>
</body>
</html>
`;
