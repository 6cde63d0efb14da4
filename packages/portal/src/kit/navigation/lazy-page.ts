import { lazyRouteComponent } from '@tanstack/react-router';
import { ask } from '../../api/ask.ts';

/** Resolves when the browser has a connection. */
export async function whenOnline(): Promise<void> {
  if (navigator.onLine) return;
  await new Promise(resolve => window.addEventListener('online', resolve, { once: true }));
}

/**
 * A page with a script of its own. Without a connection the navigation waits. The router loads the whole page again when the script is missing,
 * as after an upgrade. It must not do so when the service is unreachable: the browser would show an error page of its own.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    await whenOnline();
    return load().catch(async (failure: unknown) => {
      await ask('GET /sign-in-methods', {});
      throw failure;
    });
  }, name);
