/** What a key may see in one tenant: all of its divisions, or these and their subtrees as the tree is now. */
export interface Grant {
  readonly tenantId: string;
  readonly divisions: 'all' | readonly string[];
}

/** What a key may see (decisions.md section 1). A whole-organization key covers tenants created later too. */
export interface Scope {
  readonly organizationId: string;
  readonly keyId: string;
  readonly grants: 'all' | readonly Grant[];
}
