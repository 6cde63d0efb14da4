import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isPermitted, menuOf, pageAt, type MenuPage } from '../src/kit/navigation/menu.ts';

const pages: readonly MenuPage[] = [
  { to: '/settings/api-keys', section: 'it' },
  { to: '/companies', section: 'organization' },
  { to: '/settings/users', section: 'organization', permission: 'COMPANY_ADMIN' },
  { to: '/', section: 'home' },
];

const menuFor = (listed: readonly MenuPage[], permissions: Parameters<typeof menuOf>[1]) =>
  menuOf(listed, permissions).map(({ section, pages }) => [section, ...pages.map(({ to }) => to)]);

describe('the menu', () => {
  test('has its sections in order, each with its pages as they were declared', () => {
    assert.deepEqual(menuFor(pages, ['COMPANY_ADMIN']), [
      ['home', '/'],
      ['organization', '/companies', '/settings/users'],
      ['it', '/settings/api-keys'],
    ]);
  });

  test('has one more page, and its section, by one more declaration', () => {
    const orders: MenuPage = { to: '/orders', section: 'hr', permission: 'HR' };
    assert.deepEqual(menuFor([...pages, orders], ['HR']), [
      ['home', '/'],
      ['hr', '/orders'],
      ['organization', '/companies'],
      ['it', '/settings/api-keys'],
    ]);
    const order = pageAt([...pages, orders], '/orders/$id');
    assert.equal(order, orders, 'the guard of what is below it');
    assert.equal(isPermitted(order, ['IT']), false);
  });

  test('leaves out a section without a permitted page', () => {
    const orders: MenuPage = { to: '/orders', section: 'hr', permission: 'HR' };
    assert.deepEqual(
      menuFor([orders, ...pages], ['IT']).map(([section]) => section),
      ['home', 'organization', 'it'],
    );
  });
});

describe('the page of an address', () => {
  test('is the nearest one above it', () => {
    assert.equal(pageAt(pages, '/settings/users/$id')?.to, '/settings/users');
    assert.equal(pageAt(pages, '/')?.to, '/');
  });

  test('is not one that its address only begins like, and home is above nothing', () => {
    assert.equal(pageAt(pages, '/settings/users-of-others'), undefined);
    assert.equal(pageAt(pages, '/sessions'), undefined);
  });
});
