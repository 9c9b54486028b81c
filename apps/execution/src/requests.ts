/** The requests of callers of the public interface, as the service judges them: for the description of the interface. */
export { CredentialPageQuery } from './credentials/credentials.requests.js';
