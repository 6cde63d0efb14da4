import { apis } from '@kontor/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { credentialIn } from './credential.ts';

/** The longest that a page waits for what it is drawn from, in milliseconds; after that it comes without a drawing, and draws itself. */
const patience = 1000;

/** The longest address that is drawn, in characters: what a router makes of thousands of names takes as long as a thousand requests. */
const longestTarget = 2000;

/** The cookie with the language that was chosen in the browser, which the pages set (`packages/portal/src/i18n.ts`). */
const languageCookie = 'kontor-language';

/** What the build of `packages/portal` makes of the pages for the service (`src/drawing.tsx` there). */
interface Drawing {
  draw(opened: {
    readonly target: string;
    readonly nonce: string;
    readonly language: string | undefined;
    readonly ask: (address: string) => Promise<unknown>;
  }): Promise<string | null>;
}

/** Draws what a request opens, as HTML for the body of the page; null: it draws itself. Never rejects. */
export type DrawPage = (request: FastifyRequest, nonce: string) => Promise<string | null>;

/**
 * Draws the first page for who is signed in, from answers of the portal API that are asked for in their name and take the way of all
 * requests. Whatever goes wrong, the page comes without it; `failed` is told what was no answer of the API.
 */
export function pageDrawing(app: FastifyInstance, folder: URL, failed: (error: unknown) => void): DrawPage {
  const built = new URL('drawing/drawing.js', folder).href;
  return async (request, nonce) => {
    const sent = (cookie: string) => credentialIn(request.headers, { header: 'Cookie', cookie });
    const { host } = request.headers;
    if (sent(apis.portal.credential.cookie) === undefined || host === undefined) return null;
    if (request.originalUrl.length > longestTarget) return null;
    const language = sent(languageCookie);
    const signal = AbortSignal.timeout(patience);
    try {
      const { draw } = (await import(built)) as Drawing;
      return await draw({
        target: request.originalUrl,
        nonce,
        language,
        ask: address => ask(app, request, { address, signal }),
      });
    } catch (error) {
      if (!(error instanceof NoAnswer)) failed(error);
      return null;
    }
  };
}

/** The API refused, failed or took too long, which its own line in the log says. */
class NoAnswer extends Error {}

/** Asks the portal API as the page itself would. @throws NoAnswer */
async function ask(
  app: FastifyInstance,
  { headers, raw }: FastifyRequest,
  { address, signal }: { address: string; signal: AbortSignal },
): Promise<unknown> {
  const { cookie, host, 'user-agent': agent, 'x-forwarded-for': forwarded } = headers;
  const sent = {
    cookie,
    host,
    ...(agent !== undefined && { 'user-agent': agent }),
    ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
  };
  const remoteAddress = raw.socket.remoteAddress ?? '';
  const answer = await app
    .inject({ url: `${apis.portal.prefix}${address}`, headers: sent, remoteAddress, signal })
    .catch((error: unknown) => {
      throw signal.aborted ? new NoAnswer() : error;
    });
  if (answer.statusCode !== 200) throw new NoAnswer();
  return answer.json();
}
