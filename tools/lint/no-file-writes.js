const writes = /^(appendFile|createWriteStream|open|write|writeFile)(Sync)?$/;

/** Files of the service and the commands are whole, new and for their owner only: lib/draft-file.ts makes them. */
export const noFileWrites = {
  create(context) {
    return {
      ImportDeclaration(node) {
        if (!/^(node:)?fs(\/promises)?$/.test(node.source.value) || node.importKind === 'type') return;
        for (const { imported, importKind } of node.specifiers)
          if (importKind !== 'type' && (imported === undefined || writes.test(imported.name)))
            context.report({ node, message: 'Write files with lib/draft-file.ts.' });
      },
    };
  },
};
