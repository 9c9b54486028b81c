/** The subject of evidence: a tool, or a provider with all of its tools. */
export const toolSubject = (toolId: string): string => `tool:${toolId}`;
export const providerSubject = (providerId: string): string => `provider:${providerId}`;
