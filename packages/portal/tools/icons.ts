import lucide from '@iconify-json/lucide/icons.json' with { type: 'json' };
import { type IconName, iconNames } from '../src/kit/icon-names.ts';

const outlines: Readonly<Partial<Record<string, { readonly body: string }>>> = lucide.icons;
const aliases: Readonly<Partial<Record<string, { readonly parent: string }>>> = lucide.aliases;

function outlineOf(name: string): string {
  const outline = outlines[aliases[name]?.parent ?? name];
  if (outline === undefined) throw new Error(`Lucide has no icon ${name}`);
  // The element of the icon sets the width of its strokes.
  return outline.body.replaceAll(' stroke-width="2"', '');
}

/** The outlines of the icons that the portal uses, from a set of 1,600. */
export function iconsOfSet(): Record<IconName, string> {
  const pairs = Object.entries(iconNames).map(([name, original]) => [name, outlineOf(original)]);
  return Object.fromEntries(pairs) as Record<IconName, string>;
}
