import type { Plugin } from 'vite';

/** How React makes what it throws later as a signal to itself; five of them, as the module is loaded. */
const signal = /^((?:var)? +\w+Exception = )Error\((formatProdErrorMessage\(\d+\))\)/gm;

/**
 * Makes the signals of React without noting where. A browser that is watched, as by Playwright, notes for each `Error` where in the sources
 * it was made, and to know that it reads the whole script once more before anything is drawn.
 */
export function reactSignals(): Plugin {
  return {
    name: 'kontor-react-signals',
    transform: {
      filter: { id: /react-dom-client\.production\.js$/ },
      handler(code) {
        const found = code.match(signal)?.length ?? 0;
        if (found !== 5) throw new Error(`React has ${found} signals, not five: see react-signals.ts`);
        return code.replace(signal, '$1Object.create(Error.prototype, { message: { value: $2 } })');
      },
    },
  };
}
