import Type, { type Static } from 'typebox';
import { NamedObject, Text } from '../../schema.ts';

export const OpenIdRequest = NamedObject('OpenIdRequest', 'The address of the issuer', {
  location: Text(
    'The address at the issuer, which redirects to `/portal/sign-in/openid`',
    'https://login.example.com/authorize?client_id=kontor',
  ),
});
export type OpenIdRequest = Static<typeof OpenIdRequest>;

const text = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 4000, description, examples: [example] });

export const OpenIdAnswer = NamedObject('OpenIdAnswer', 'The parameters of the redirect from the issuer', {
  code: text('The code of the issuer, which works once', 'SplxlOBeZQQYbYS6WxSbIA'),
  state: text('The state that belongs to the cookie of the request', 'af0ifjsldkj'),
  iss: Type.Optional(text('The issuer, if its answer names it', 'https://login.example.com')),
});
export type OpenIdAnswer = Static<typeof OpenIdAnswer>;
