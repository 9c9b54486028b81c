/** What evidence is about. */
export const toolSubject = (toolId: string): string => `tool:${toolId}`;
export const providerSubject = (providerId: string): string => `provider:${providerId}`;
