/** What a panel says when nothing was measured. */
export const absent = (key: string): string => `No run measured ${key}.`;
