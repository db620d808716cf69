export function checksumOf(source: string): string;
