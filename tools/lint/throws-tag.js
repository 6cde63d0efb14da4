/** The errors of a function stand in `@throws` of its docstring, which editors show, and in no other words. */
export const throwsTag = {
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments())
          if (comment.type === 'Block' && otherWords.test(textOf(comment)))
            context.report({ node: comment, message: 'Say which errors there are with @throws.' });
      },
    };
  },
};

/** A sentence that begins with it, or the last part of one. */
const otherWords = /(^|[.;:] )(Errors:|Throws) |; (throws|rejects) /;

/** A docstring in one line, without its stars; empty for any other comment. */
function textOf({ value }) {
  return value.startsWith('*')
    ? value
        .slice(1)
        .replaceAll(/\s*\n\s*\*\s*/g, ' ')
        .trim()
    : '';
}
