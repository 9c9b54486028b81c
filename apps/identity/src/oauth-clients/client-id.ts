const clientIdPattern = /^client_[0-9a-f]{32}$/;

/** Whether a text could be the id of a client. */
export const isClientId = (text: string): boolean => clientIdPattern.test(text);
