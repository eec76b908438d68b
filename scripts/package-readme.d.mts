export function packageReadme(text: string, version: string, isPacked: (path: string) => boolean): string;
