/** Pure code takes the time and random values as arguments. Reading a date that was given is no clock. */
export const noClock = {
  create(context) {
    const report = (node, what) =>
      context.report({ node, message: `${what} reads the clock or chance: take the value as an argument.` });
    return {
      NewExpression(node) {
        if (node.callee.name === 'Date' && node.arguments.length === 0) report(node, 'new Date()');
      },
      CallExpression(node) {
        if (node.callee.name === 'Date') report(node, 'Date()');
      },
      MemberExpression(node) {
        const member = `${node.object.name}.${node.property.name}`;
        if (member === 'Date.now' || member === 'Math.random' || node.object.name === 'performance')
          report(node, member);
      },
    };
  },
};
