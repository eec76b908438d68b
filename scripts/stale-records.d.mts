export function measuredCommit(root: string): string | undefined;
export function staleRecords(
  root: string,
  suites: readonly { readonly name: string; readonly chapters: readonly string[] }[],
): { readonly record: string; readonly since: string; readonly changed: string }[];
