import { createContext } from 'react';

/** The words of a list for the values of its fields, by field. */
export type ValueWords = Readonly<Record<string, Readonly<Record<string, string>>>>;

export const ValueWordsContext = createContext<ValueWords>({});
