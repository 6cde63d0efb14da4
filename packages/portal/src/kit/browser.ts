/** Browser names in user agents, the more specific first. */
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[.\d]* .*Safari\//],
] as const;

const systems = [
  ['iOS', /iPhone|iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const;

/** The browser and the system, such as "Firefox 140, Windows"; null for what is none of the usual ones. */
export function browserOf(userAgent: string | null): string | null {
  const text = userAgent ?? '';
  const browser = browsers.find(([, form]) => form.test(text));
  if (!browser) return null;
  const system = systems.find(([, form]) => form.test(text))?.[0];
  const name = `${browser[0]} ${browser[1].exec(text)![1]}`;
  return system ? `${name}, ${system}` : name;
}
