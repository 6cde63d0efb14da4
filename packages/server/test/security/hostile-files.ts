/** Files to import, up to 4.9 MB, with what is wrong with them. */
export const hostileFiles: Readonly<Record<string, string>> = {
  'quotes at the end of values': `email;employeeNumber\n${'a"\n'.repeat(21_900)}`,
  '199 header cells that almost are email addresses': `email;${`${'@'.repeat(118)}${'.'.repeat(118)}a b1;`.repeat(198)}x\n`,
  'rows of quotes': `email;employeeNumber\n${'"";""x"\n'.repeat(90_000)}`,
  'one cell of 4.9 MB': `email;employeeNumber\na;${'x'.repeat(4_900_000)}\n`,
  'rows of delimiters': `email;employeeNumber\n${`${';'.repeat(5000)}\n`.repeat(900)}`,
  'an almost email address of 1 MB': `email;employeeNumber\na@${'.'.repeat(1_000_000)} b;7\n`,
};
