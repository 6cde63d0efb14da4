import { createContext, useContext } from 'react';

/** Whether the user may change what the page is about. An auditor only reads it. */
export const MayChange = createContext(true);

/** Whether to offer actions. Dialog buttons, row actions, uploads and links to forms for something new ask this themselves. */
export const useMayChange = (): boolean => useContext(MayChange);
