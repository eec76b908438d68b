export function withFigures(readme: string): string;
