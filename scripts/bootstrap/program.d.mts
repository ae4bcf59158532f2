export function findProgram(root: string): Promise<string>;
