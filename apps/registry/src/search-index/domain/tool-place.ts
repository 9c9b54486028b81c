/** Where a tool is counted: the same object for all tools of a provider in the same categories. */
export interface ToolPlace {
  readonly providerId: string;
  readonly region: string | undefined;
  /** Slugs. */
  readonly categories: readonly string[];
}
