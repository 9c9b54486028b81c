/** Where the suite finds the deployment under test. It is black box: nothing but these values is known. */
function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') {
    throw new Error(`${name} is not set: start a deployment, or let "npm test" do it`);
  }
  return value;
}

/** One origin per gateway replica, comma-separated in the environment; requests take them in turn. */
const origins = required('ACCEPTANCE_BASE_URL')
  .split(',')
  .map((url) => new URL(url.trim()).origin);

let turn = 0;

/** The next replica's origin, e.g. `http://127.0.0.1:8080`. */
export function nextOrigin(): string {
  turn = (turn + 1) % origins.length;
  return origins[turn] ?? '';
}

export const adminKey = required('ACCEPTANCE_ADMIN_KEY');
/** The folder into which the deployment writes its mail. */
export const mailDir = (): string => required('ACCEPTANCE_MAIL_DIR');
/** An issuer that the deployment trusts; nobody listens there yet. */
export const issuer = (): string => required('ACCEPTANCE_ISSUER');
/** Another one, of name `globex`, which opens no accounts. */
export const linkingIssuer = (): string => required('ACCEPTANCE_LINKING_ISSUER');
/** The key of an account that exists from the start, as a newcomer finds it. */
export const givenApiKey = required('ACCEPTANCE_API_KEY');
