import { ADMIN_OPENAPI_PATH, OPENAPI_PATH } from '../openapi.js';

export const REFERENCE_PATH = '/docs';
export const ASSETS_PATH = `${REFERENCE_PATH}/assets`;

interface ReferencePage {
  readonly title: string;
  /** Where the page reads what it shows. */
  readonly document: string;
}

/** By path of the origin, the pages that show a document to people. */
export const referencePages: Readonly<Record<string, ReferencePage>> = {
  [REFERENCE_PATH]: { title: 'Capability router: reference', document: OPENAPI_PATH },
  [`${REFERENCE_PATH}/admin`]: {
    title: 'Capability router: reference of administration',
    document: ADMIN_OPENAPI_PATH,
  },
};

/** Nothing of it comes from another host, no text of a document runs, and nobody frames the page. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The viewer's own pictures are in its style.
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

export const renderReference = ({ title, document }: ReferencePage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${ASSETS_PATH}/swagger-ui.css">
</head>
<body>
<noscript>This page needs scripts. The document that it shows: <a href="${document}">${document}</a></noscript>
<main id="reference" data-document="${document}"></main>
<script src="${ASSETS_PATH}/swagger-ui-bundle.js"></script>
<script src="${ASSETS_PATH}/start.js"></script>
</body>
</html>
`;

/** The page's own script. A key that is typed into the page is forgotten with it. */
export const START_SCRIPT = `SwaggerUIBundle({
  domNode: document.getElementById('reference'),
  url: document.getElementById('reference').dataset.document,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
  queryConfigEnabled: false,
  validatorUrl: null,
});
`;
