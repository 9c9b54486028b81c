/** Codes of OpenSSL by way of Node: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const tlsCode =
  /^(CERT_|CRL_|UNABLE_TO_|ERROR_IN_|DEPTH_ZERO|SELF_SIGNED|INVALID_(CA|PURPOSE)|PATH_LENGTH|HOSTNAME_MISMATCH|ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO)/;

/** Whether no TLS came about because of a certificate or of the protocol, which no waiting mends. */
export const isTlsError = (error: { readonly code?: unknown }): boolean => tlsCode.test(String(error.code));
