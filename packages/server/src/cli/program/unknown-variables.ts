import { ConfigError, settings } from '../../config.ts';
import { nearestName } from '../../lib/nearest-name.ts';

const prefix = 'KONTOR_';

/** The known names without the prefix: with it, any two names would seem alike. */
const knownEndings = Object.values(settings)
  .map((row): string => row.variable)
  .filter(variable => variable.startsWith(prefix))
  .map(variable => variable.slice(prefix.length));

/** The variables of the TypeScript client, which the guides set in the terminal that also runs commands. */
const ofClient = ['API_KEY', 'BASE_URL', 'TENANT_ID'];

/**
 * Returns the variables that begin like those of Kontor and are none. Kubernetes sets `KONTOR_PORT`, for example, for a service
 * of that name. An empty variable counts as absent.
 * @throws ConfigError for one that is probably a known name with a typing error. It never repeats the value.
 */
export function checkVariables(variables: Readonly<Record<string, string | undefined>>): string[] {
  const endings = Object.keys(variables)
    .filter(name => name.startsWith(prefix) && variables[name] !== '')
    .map(name => name.slice(prefix.length))
    .filter(ending => !knownEndings.includes(ending) && !ofClient.includes(ending));
  for (const ending of endings) {
    const near = nearestName(ending, knownEndings);
    if (near !== null)
      throw new ConfigError(
        `there is no variable ${printable(prefix + ending)}: did you mean ${prefix}${near}?`,
      );
  }
  return endings.map(ending => printable(prefix + ending)).toSorted();
}

/** The warning about unknown variables. */
export function unknownVariablesLine(names: readonly string[]): string {
  return `Kontor has no setting ${names.join(', ')}; docs/configuration.md lists all variables`;
}

/** The environment may name a variable in any bytes, but for "=". */
const printable = (name: string) => name.replaceAll(/[^\w]/g, '?');
