// Written by `npm run examples` from the answers of a live service, whose identifiers and instants are replaced by fixed ones.
import type { Recorded } from './recording.ts';

export const recorded: Recorded = {
  exchanges: {
    acceptInvitation: {
      path: {},
      answers: {
        '200': {
          user: {
            id: '65f0c0ffee00000000000001',
            organizationId: '65f0c0ffee00000000000002',
            email: 'petra.lang@example.com',
            name: 'Petra Lang',
            language: 'de',
            permissions: ['IT', 'HR', 'COMPANY_ADMIN'],
            hrTenants: ['65f0c0ffee00000000000003'],
            status: 'active',
            createdAt: '2026-09-02T08:22:37.172Z',
            invitedUntil: null,
            lastSignInAt: '2026-09-02T08:23:38.179Z',
          },
          organization: {
            id: '65f0c0ffee00000000000002',
            name: 'Muster Holding',
            createdAt: '2026-09-02T08:15:30.123Z',
          },
          session: {
            id: '3vQ7kZ9mB2x0',
            createdAt: '2026-09-02T08:23:38.179Z',
            lastSeenAt: '2026-09-02T08:23:38.179Z',
            expiresAt: '2026-09-02T08:49:03.354Z',
            address: '127.0.0.1',
            userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
            current: true,
          },
          freshUntil: '2026-09-02T08:39:54.291Z',
          confirmsWith: ['password'],
        },
      },
      request: {
        secret:
          'kontorl_65f0c0ffee00000000000001_3vQ7kZ9mB2xT_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_1pESGC',
        password: 'correct horse battery staple',
      },
    },
    signOut: {
      path: {},
      answers: {
        '200': {
          id: '3vQ7kZ9mB2x0',
          createdAt: '2026-09-02T08:23:38.179Z',
          lastSeenAt: '2026-09-02T08:23:38.179Z',
          expiresAt: '2026-09-02T08:49:03.354Z',
          address: '127.0.0.1',
          userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
          current: true,
        },
      },
    },
    signIn: {
      path: {},
      answers: {
        '200': {
          user: {
            id: '65f0c0ffee00000000000001',
            organizationId: '65f0c0ffee00000000000002',
            email: 'petra.lang@example.com',
            name: 'Petra Lang',
            language: 'de',
            permissions: ['IT', 'HR', 'COMPANY_ADMIN'],
            hrTenants: ['65f0c0ffee00000000000003'],
            status: 'active',
            createdAt: '2026-09-02T08:22:37.172Z',
            invitedUntil: null,
            lastSignInAt: '2026-09-02T08:25:40.193Z',
          },
          organization: {
            id: '65f0c0ffee00000000000002',
            name: 'Muster Holding',
            createdAt: '2026-09-02T08:15:30.123Z',
          },
          session: {
            id: '3vQ7kZ9mB2x1',
            createdAt: '2026-09-02T08:25:40.193Z',
            lastSeenAt: '2026-09-02T08:25:40.193Z',
            expiresAt: '2026-09-02T08:51:05.368Z',
            address: '127.0.0.1',
            userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
            current: true,
          },
          freshUntil: '2026-09-02T08:41:56.305Z',
          confirmsWith: ['password'],
        },
      },
      request: { email: 'petra.lang@example.com', password: 'correct horse battery staple' },
    },
    getSession: {
      path: {},
      answers: {
        '200': {
          user: {
            id: '65f0c0ffee00000000000001',
            organizationId: '65f0c0ffee00000000000002',
            email: 'petra.lang@example.com',
            name: 'Petra Lang',
            language: 'de',
            permissions: ['IT', 'HR', 'COMPANY_ADMIN'],
            hrTenants: ['65f0c0ffee00000000000003'],
            status: 'active',
            createdAt: '2026-09-02T08:22:37.172Z',
            invitedUntil: null,
            lastSignInAt: '2026-09-02T08:25:40.193Z',
          },
          organization: {
            id: '65f0c0ffee00000000000002',
            name: 'Muster Holding',
            createdAt: '2026-09-02T08:15:30.123Z',
          },
          session: {
            id: '3vQ7kZ9mB2x2',
            createdAt: '2026-09-02T08:24:39.186Z',
            lastSeenAt: '2026-09-02T08:24:39.186Z',
            expiresAt: '2026-09-02T08:50:04.361Z',
            address: '127.0.0.1',
            userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
            current: true,
          },
          freshUntil: '2026-09-02T08:40:55.298Z',
          confirmsWith: ['password'],
        },
      },
    },
    listSessions: {
      path: {},
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 2,
          items: [
            {
              id: '3vQ7kZ9mB2x2',
              createdAt: '2026-09-02T08:24:39.186Z',
              lastSeenAt: '2026-09-02T08:24:39.186Z',
              expiresAt: '2026-09-02T08:50:04.361Z',
              address: '127.0.0.1',
              userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
              current: true,
            },
            {
              id: '3vQ7kZ9mB2x1',
              createdAt: '2026-09-02T08:25:40.193Z',
              lastSeenAt: '2026-09-02T08:25:40.193Z',
              expiresAt: '2026-09-02T08:51:05.368Z',
              address: '127.0.0.1',
              userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
              current: false,
            },
          ],
        },
      },
    },
    endSession: {
      path: { id: '3vQ7kZ9mB2x1' },
      answers: {
        '200': {
          id: '3vQ7kZ9mB2x1',
          createdAt: '2026-09-02T08:25:40.193Z',
          lastSeenAt: '2026-09-02T08:25:40.193Z',
          expiresAt: '2026-09-02T08:51:05.368Z',
          address: '127.0.0.1',
          userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
          current: false,
        },
      },
    },
    confirmPassword: {
      path: {},
      answers: {
        '200': {
          user: {
            id: '65f0c0ffee00000000000001',
            organizationId: '65f0c0ffee00000000000002',
            email: 'petra.lang@example.com',
            name: 'Petra Lang',
            language: 'de',
            permissions: ['IT', 'HR', 'COMPANY_ADMIN'],
            hrTenants: ['65f0c0ffee00000000000003'],
            status: 'active',
            createdAt: '2026-09-02T08:22:37.172Z',
            invitedUntil: '2026-09-02T08:48:02.347Z',
            lastSignInAt: '2026-09-02T08:28:43.214Z',
          },
          organization: {
            id: '65f0c0ffee00000000000002',
            name: 'Muster Holding',
            createdAt: '2026-09-02T08:15:30.123Z',
          },
          session: {
            id: '3vQ7kZ9mB2x2',
            createdAt: '2026-09-02T08:24:39.186Z',
            lastSeenAt: '2026-09-02T08:24:39.186Z',
            expiresAt: '2026-09-02T08:50:04.361Z',
            address: '127.0.0.1',
            userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
            current: true,
          },
          freshUntil: '2026-09-02T08:47:01.340Z',
          confirmsWith: ['password', 'passkey'],
        },
      },
      request: { password: 'tacker brille zitrone wolke' },
    },
    changePassword: {
      path: {},
      answers: {
        '200': {
          user: {
            id: '65f0c0ffee00000000000001',
            organizationId: '65f0c0ffee00000000000002',
            email: 'petra.lang@example.com',
            name: 'Petra Lang',
            language: 'de',
            permissions: ['IT', 'HR', 'COMPANY_ADMIN'],
            hrTenants: ['65f0c0ffee00000000000003'],
            status: 'active',
            createdAt: '2026-09-02T08:22:37.172Z',
            invitedUntil: null,
            lastSignInAt: '2026-09-02T08:25:40.193Z',
          },
          organization: {
            id: '65f0c0ffee00000000000002',
            name: 'Muster Holding',
            createdAt: '2026-09-02T08:15:30.123Z',
          },
          session: {
            id: '3vQ7kZ9mB2x2',
            createdAt: '2026-09-02T08:24:39.186Z',
            lastSeenAt: '2026-09-02T08:24:39.186Z',
            expiresAt: '2026-09-02T08:50:04.361Z',
            address: '127.0.0.1',
            userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
            current: true,
          },
          freshUntil: '2026-09-02T08:42:57.312Z',
          confirmsWith: ['password'],
        },
      },
      request: { password: 'tacker brille zitrone wolke' },
    },
    getSignInWays: {
      path: {},
      answers: {
        '200': {
          passkeyOrigin: 'https://kontor.example.com',
          openIdName: 'Muster-Login',
          passwordReset: true,
        },
      },
    },
    beginPasskey: {
      path: {},
      answers: {
        '200': {
          challenge: 'xH0pR3Yx5m0n7w9Qe2cV4bT6uJ8kL1sD3fG5hZ7aWqE',
          rp: { id: 'kontor.example.com', name: 'Kontor' },
          user: {
            id: 'ZfDA_-4AAAAAAAACZfDA_-4AAAAAAAAB',
            name: 'petra.lang@example.com',
            displayName: 'Petra Lang',
          },
          pubKeyCredParams: [
            { type: 'public-key', alg: -8 },
            { type: 'public-key', alg: -7 },
            { type: 'public-key', alg: -257 },
          ],
          timeout: 300000,
          attestation: 'none',
          authenticatorSelection: {
            residentKey: 'required',
            requireResidentKey: true,
            userVerification: 'required',
          },
          excludeCredentials: [
            {
              type: 'public-key',
              id: 'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA',
              transports: ['internal'],
            },
            {
              type: 'public-key',
              id: 'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA',
              transports: ['internal'],
            },
          ],
        },
      },
    },
    createPasskey: {
      path: {},
      answers: {
        '200': {
          id: '65f0c0ffee00000000000004',
          name: 'Phone',
          createdAt: '2026-09-02T08:27:42.207Z',
          lastUsedAt: null,
          synced: false,
        },
      },
      request: {
        name: 'Phone',
        credentialId: 'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA',
        clientDataJSON:
          'eyJ0eXBlIjoid2ViYXV0aG4iLCJjaGFsbGVuZ2UiOiJ4SDBwUjNZeCIsIm9yaWdpbiI6Imh0dHBzOi8va29udG9yLmV4YW1wbGUuY29tIn0',
        attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg',
        transports: ['internal'],
      },
    },
    beginPasskeySignIn: {
      path: {},
      answers: {
        '200': {
          challenge: 'xH0pR3Yx5m0n7w9Qe2cV4bT6uJ8kL1sD3fG5hZ7aWqE',
          rpId: 'kontor.example.com',
          timeout: 300000,
          userVerification: 'required',
          allowCredentials: [],
        },
      },
    },
    signInWithPasskey: {
      path: {},
      answers: {
        '200': {
          user: {
            id: '65f0c0ffee00000000000001',
            organizationId: '65f0c0ffee00000000000002',
            email: 'petra.lang@example.com',
            name: 'Petra Lang',
            language: 'de',
            permissions: ['IT', 'HR', 'COMPANY_ADMIN'],
            hrTenants: ['65f0c0ffee00000000000003'],
            status: 'active',
            createdAt: '2026-09-02T08:22:37.172Z',
            invitedUntil: null,
            lastSignInAt: '2026-09-02T08:28:43.214Z',
          },
          organization: {
            id: '65f0c0ffee00000000000002',
            name: 'Muster Holding',
            createdAt: '2026-09-02T08:15:30.123Z',
          },
          session: {
            id: '3vQ7kZ9mB2x3',
            createdAt: '2026-09-02T08:28:43.214Z',
            lastSeenAt: '2026-09-02T08:28:43.214Z',
            expiresAt: '2026-09-02T08:52:06.375Z',
            address: '127.0.0.1',
            userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
            current: true,
          },
          freshUntil: '2026-09-02T08:43:58.319Z',
          confirmsWith: ['password', 'passkey'],
        },
      },
      request: {
        credentialId: 'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA',
        clientDataJSON:
          'eyJ0eXBlIjoid2ViYXV0aG4iLCJjaGFsbGVuZ2UiOiJ4SDBwUjNZeCIsIm9yaWdpbiI6Imh0dHBzOi8va29udG9yLmV4YW1wbGUuY29tIn0',
        authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
        signature: 'MEUCIQDNlV0kQb6gXQy3PpXn1x8b5T9V7cS2',
        userHandle: 'ZfDA_-4AAAAAAAACZfDA_-4AAAAAAAAB',
      },
    },
    beginPasskeyConfirmation: {
      path: {},
      answers: {
        '200': {
          challenge: 'xH0pR3Yx5m0n7w9Qe2cV4bT6uJ8kL1sD3fG5hZ7aWqE',
          rpId: 'kontor.example.com',
          timeout: 300000,
          userVerification: 'required',
          allowCredentials: [
            {
              type: 'public-key',
              id: 'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA',
              transports: ['internal'],
            },
            {
              type: 'public-key',
              id: 'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA',
              transports: ['internal'],
            },
          ],
        },
      },
    },
    confirmWithPasskey: {
      path: {},
      answers: {
        '200': {
          user: {
            id: '65f0c0ffee00000000000001',
            organizationId: '65f0c0ffee00000000000002',
            email: 'petra.lang@example.com',
            name: 'Petra Lang',
            language: 'de',
            permissions: ['IT', 'HR', 'COMPANY_ADMIN'],
            hrTenants: ['65f0c0ffee00000000000003'],
            status: 'active',
            createdAt: '2026-09-02T08:22:37.172Z',
            invitedUntil: null,
            lastSignInAt: '2026-09-02T08:28:43.214Z',
          },
          organization: {
            id: '65f0c0ffee00000000000002',
            name: 'Muster Holding',
            createdAt: '2026-09-02T08:15:30.123Z',
          },
          session: {
            id: '3vQ7kZ9mB2x2',
            createdAt: '2026-09-02T08:24:39.186Z',
            lastSeenAt: '2026-09-02T08:24:39.186Z',
            expiresAt: '2026-09-02T08:50:04.361Z',
            address: '127.0.0.1',
            userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
            current: true,
          },
          freshUntil: '2026-09-02T08:44:59.326Z',
          confirmsWith: ['password', 'passkey'],
        },
      },
      request: {
        credentialId: 'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA',
        clientDataJSON:
          'eyJ0eXBlIjoid2ViYXV0aG4iLCJjaGFsbGVuZ2UiOiJ4SDBwUjNZeCIsIm9yaWdpbiI6Imh0dHBzOi8va29udG9yLmV4YW1wbGUuY29tIn0',
        authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
        signature: 'MEUCIQDNlV0kQb6gXQy3PpXn1x8b5T9V7cS2',
        userHandle: 'ZfDA_-4AAAAAAAACZfDA_-4AAAAAAAAB',
      },
    },
    listPasskeys: {
      path: {},
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 2,
          items: [
            {
              id: '65f0c0ffee00000000000005',
              name: 'Firefox on Linux',
              createdAt: '2026-09-02T08:26:41.200Z',
              lastUsedAt: null,
              synced: false,
            },
            {
              id: '65f0c0ffee00000000000004',
              name: 'Phone',
              createdAt: '2026-09-02T08:27:42.207Z',
              lastUsedAt: '2026-09-02T08:29:44.221Z',
              synced: false,
            },
          ],
        },
      },
    },
    renamePasskey: {
      path: { id: '65f0c0ffee00000000000005' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000005',
          name: 'Laptop',
          createdAt: '2026-09-02T08:26:41.200Z',
          lastUsedAt: null,
          synced: false,
        },
      },
      request: { name: 'Laptop' },
    },
    deletePasskey: {
      path: { id: '65f0c0ffee00000000000005' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000005',
          name: 'Laptop',
          createdAt: '2026-09-02T08:26:41.200Z',
          lastUsedAt: null,
          synced: false,
        },
      },
    },
    beginOpenIdSignIn: {
      path: {},
      answers: {
        '200': { location: 'https://login.example.com/authorize?client_id=kontor&response_type=code' },
      },
    },
    signInWithOpenId: {
      path: {},
      answers: {
        '200': {
          user: {
            id: '65f0c0ffee00000000000006',
            organizationId: '65f0c0ffee00000000000002',
            email: 'jonas.meier@example.com',
            name: 'Jonas Meier',
            language: 'de',
            permissions: ['IT'],
            hrTenants: null,
            status: 'active',
            createdAt: '2026-09-02T08:30:45.228Z',
            invitedUntil: '2026-09-02T08:55:09.396Z',
            lastSignInAt: '2026-09-02T08:31:46.235Z',
          },
          organization: {
            id: '65f0c0ffee00000000000002',
            name: 'Muster Holding',
            createdAt: '2026-09-02T08:15:30.123Z',
          },
          session: {
            id: '3vQ7kZ9mB2x4',
            createdAt: '2026-09-02T08:31:46.235Z',
            lastSeenAt: '2026-09-02T08:31:46.235Z',
            expiresAt: '2026-09-02T08:53:07.382Z',
            address: '127.0.0.1',
            userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
            current: true,
          },
          freshUntil: null,
          confirmsWith: ['openid'],
        },
      },
      request: {
        code: 'SplxlOBeZQQYbYS6WxSbIA',
        state: 'SplxlOBeZQQYbYS6WxSbIA',
        iss: 'https://login.example.com',
      },
    },
    beginOpenIdConfirmation: {
      path: {},
      answers: {
        '200': { location: 'https://login.example.com/authorize?client_id=kontor&response_type=code' },
      },
    },
    confirmWithOpenId: {
      path: {},
      answers: {
        '200': {
          user: {
            id: '65f0c0ffee00000000000006',
            organizationId: '65f0c0ffee00000000000002',
            email: 'jonas.meier@example.com',
            name: 'Jonas Meier',
            language: 'de',
            permissions: ['IT'],
            hrTenants: null,
            status: 'active',
            createdAt: '2026-09-02T08:30:45.228Z',
            invitedUntil: '2026-09-02T08:55:09.396Z',
            lastSignInAt: '2026-09-02T08:31:46.235Z',
          },
          organization: {
            id: '65f0c0ffee00000000000002',
            name: 'Muster Holding',
            createdAt: '2026-09-02T08:15:30.123Z',
          },
          session: {
            id: '3vQ7kZ9mB2x4',
            createdAt: '2026-09-02T08:31:46.235Z',
            lastSeenAt: '2026-09-02T08:31:46.235Z',
            expiresAt: '2026-09-02T08:53:07.382Z',
            address: '127.0.0.1',
            userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
            current: true,
          },
          freshUntil: '2026-09-02T08:46:00.333Z',
          confirmsWith: ['openid'],
        },
      },
      request: {
        code: 'SplxlOBeZQQYbYS6WxSbIA',
        state: 'SplxlOBeZQQYbYS6WxSbIA',
        iss: 'https://login.example.com',
      },
    },
    unlinkOpenId: {
      path: {},
      answers: {
        '200': {
          user: {
            id: '65f0c0ffee00000000000006',
            organizationId: '65f0c0ffee00000000000002',
            email: 'jonas.meier@example.com',
            name: 'Jonas Meier',
            language: 'de',
            permissions: ['IT'],
            hrTenants: null,
            status: 'invited',
            createdAt: '2026-09-02T08:30:45.228Z',
            invitedUntil: '2026-09-02T08:55:09.396Z',
            lastSignInAt: '2026-09-02T08:31:46.235Z',
          },
          organization: {
            id: '65f0c0ffee00000000000002',
            name: 'Muster Holding',
            createdAt: '2026-09-02T08:15:30.123Z',
          },
          session: {
            id: '3vQ7kZ9mB2x4',
            createdAt: '2026-09-02T08:31:46.235Z',
            lastSeenAt: '2026-09-02T08:31:46.235Z',
            expiresAt: '2026-09-02T08:53:07.382Z',
            address: '127.0.0.1',
            userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
            current: true,
          },
          freshUntil: '2026-09-02T08:46:00.333Z',
          confirmsWith: [],
        },
      },
    },
    listPortalTenants: {
      path: {},
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 2,
          items: [
            {
              id: '65f0c0ffee00000000000003',
              organizationId: '65f0c0ffee00000000000002',
              name: 'Muster GmbH',
              decisionDays: null,
              createdAt: '2026-09-02T08:16:31.130Z',
            },
            {
              id: '65f0c0ffee00000000000007',
              organizationId: '65f0c0ffee00000000000002',
              name: 'Muster Logistik GmbH',
              decisionDays: null,
              createdAt: '2026-09-02T08:17:32.137Z',
            },
          ],
        },
      },
    },
    getPortalTenant: {
      path: { id: '65f0c0ffee00000000000003' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000003',
          organizationId: '65f0c0ffee00000000000002',
          name: 'Muster GmbH',
          decisionDays: null,
          createdAt: '2026-09-02T08:16:31.130Z',
        },
      },
    },
    listPortalDivisions: {
      path: {},
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 3,
          items: [
            {
              id: '65f0c0ffee00000000000008',
              tenant: '65f0c0ffee00000000000003',
              name: 'North',
              parentId: '65f0c0ffee00000000000009',
              order: 1,
              costCenter: null,
              createdAt: '2026-09-02T08:19:34.151Z',
              updatedAt: '2026-09-02T08:19:34.151Z',
            },
            {
              id: '65f0c0ffee00000000000009',
              tenant: '65f0c0ffee00000000000003',
              name: 'Sales',
              parentId: null,
              order: 1,
              costCenter: null,
              createdAt: '2026-09-02T08:18:33.144Z',
              updatedAt: '2026-09-02T08:18:33.144Z',
            },
            {
              id: '65f0c0ffee0000000000000a',
              tenant: '65f0c0ffee00000000000003',
              name: 'Support',
              parentId: null,
              order: 2,
              costCenter: null,
              createdAt: '2026-09-02T08:20:35.158Z',
              updatedAt: '2026-09-02T08:20:35.158Z',
            },
          ],
        },
      },
    },
    countPortalApiKeySight: {
      path: {},
      answers: { '200': { tenants: 1, divisions: 2, employees: 0, orders: 0 } },
      request: { grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000009'] }] },
    },
    createPortalApiKey: {
      path: {},
      answers: {
        '200': {
          id: '000000000000',
          name: 'Payroll of Muster GmbH',
          status: 'active',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000009'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:32:47.242Z',
          expiresAt: '2026-09-02T09:00:14.431Z',
          lastUsedAt: null,
          key: null,
        },
        '201': {
          id: '3vQ7kZ9mB2x6',
          name: 'Payroll of Muster GmbH',
          status: 'active',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000009'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:33:48.249Z',
          expiresAt: '2026-09-02T09:00:14.431Z',
          lastUsedAt: null,
          key: 'kontor_3vQ7kZ9mB2x6_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_0ABcde',
        },
      },
      request: {
        name: 'Payroll of Muster GmbH',
        grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000009'] }],
        quota: { requests: 600, seconds: 60 },
        expiresAt: '2099-12-31T23:00:00Z',
      },
    },
    getPortalApiKey: {
      path: { id: '3vQ7kZ9mB2x6' },
      answers: {
        '200': {
          id: '3vQ7kZ9mB2x6',
          name: 'Payroll of Muster GmbH',
          status: 'active',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000009'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:33:48.249Z',
          expiresAt: '2026-09-02T09:00:14.431Z',
          lastUsedAt: null,
          lastFour: 'Bcde',
          createdBy: 'Petra Lang',
          lastSuccessAt: null,
          silentSince: null,
          requests: 0,
          refusals: 0,
          requestsByDay: [
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
          ],
          refusalsByDay: [
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
          ],
        },
      },
    },
    listPortalApiKeys: {
      path: {},
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 1,
          items: [
            {
              id: '3vQ7kZ9mB2x6',
              name: 'Payroll of Muster GmbH',
              status: 'active',
              wholeOrganization: false,
              grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000009'] }],
              quota: { requests: 600, seconds: 60 },
              createdAt: '2026-09-02T08:33:48.249Z',
              expiresAt: '2026-09-02T09:00:14.431Z',
              lastUsedAt: null,
              lastFour: 'Bcde',
              createdBy: 'Petra Lang',
              lastSuccessAt: null,
              silentSince: null,
              requests: 0,
              refusals: 0,
              requestsByDay: [
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
              ],
              refusalsByDay: [
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
              ],
            },
          ],
        },
      },
    },
    deactivatePortalApiKey: {
      path: { id: '3vQ7kZ9mB2x6' },
      answers: {
        '200': {
          id: '3vQ7kZ9mB2x6',
          name: 'Payroll of Muster GmbH',
          status: 'inactive',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000009'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:33:48.249Z',
          expiresAt: '2026-09-02T09:00:14.431Z',
          lastUsedAt: null,
          lastFour: 'Bcde',
          createdBy: 'Petra Lang',
          lastSuccessAt: null,
          silentSince: null,
          requests: 0,
          refusals: 0,
          requestsByDay: [
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
          ],
          refusalsByDay: [
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
          ],
        },
      },
    },
    reactivatePortalApiKey: {
      path: { id: '3vQ7kZ9mB2x6' },
      answers: {
        '200': {
          id: '3vQ7kZ9mB2x6',
          name: 'Payroll of Muster GmbH',
          status: 'active',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000009'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:33:48.249Z',
          expiresAt: '2026-09-02T09:00:14.431Z',
          lastUsedAt: null,
          lastFour: 'Bcde',
          createdBy: 'Petra Lang',
          lastSuccessAt: null,
          silentSince: null,
          requests: 0,
          refusals: 0,
          requestsByDay: [
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
          ],
          refusalsByDay: [
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
          ],
        },
      },
    },
    replacePortalApiKey: {
      path: { id: '3vQ7kZ9mB2x6' },
      answers: {
        '200': {
          id: '000000000000',
          name: 'Payroll of Muster GmbH, new',
          status: 'active',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000009'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:34:49.256Z',
          expiresAt: null,
          lastUsedAt: null,
          key: null,
        },
        '201': {
          id: '3vQ7kZ9mB2x7',
          name: 'Payroll of Muster GmbH, new',
          status: 'active',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000009'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:35:50.263Z',
          expiresAt: null,
          lastUsedAt: null,
          key: 'kontor_3vQ7kZ9mB2x7_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_0ABcde',
        },
      },
      request: { name: 'Payroll of Muster GmbH, new', graceSeconds: 604800 },
    },
    getPortalApiKeyUsage: {
      path: { id: '3vQ7kZ9mB2x6' },
      answers: {
        '200': {
          requests: 2,
          lastUsedAt: '2026-09-02T08:36:51.270Z',
          days: [{ day: '2026-09-02', requests: 2, refused: 1, limited: 0, failed: 0 }],
          operations: [
            {
              operation: 'listEmployees',
              days: [{ day: '2026-09-02', requests: 2, refused: 1, limited: 0, failed: 0 }],
            },
          ],
        },
      },
    },
    updatePortalApiKey: {
      path: { id: '3vQ7kZ9mB2x6' },
      answers: {
        '200': {
          id: '3vQ7kZ9mB2x6',
          name: 'Payroll of Muster GmbH',
          status: 'active',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000009'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:33:48.249Z',
          expiresAt: '2026-09-02T08:59:13.424Z',
          lastUsedAt: '2026-09-02T08:36:51.270Z',
          lastFour: 'Bcde',
          createdBy: 'Petra Lang',
          lastSuccessAt: '2026-09-02T08:36:51.270Z',
          silentSince: null,
          requests: 2,
          refusals: 1,
          requestsByDay: [
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2,
          ],
          refusalsByDay: [
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
          ],
        },
      },
      request: { expectedPauseSeconds: 86400 },
    },
    getPortalApiKeyHealth: {
      path: { id: '3vQ7kZ9mB2x6' },
      answers: {
        '200': {
          lastUsedAt: '2026-09-02T08:36:51.270Z',
          lastSuccessAt: '2026-09-02T08:36:51.270Z',
          expectedPauseSeconds: 86400,
          usualPauseSeconds: null,
          allowedPauseSeconds: 86400,
          silentFrom: '2026-09-02T08:54:08.389Z',
          silentSince: null,
          replacedBy: '3vQ7kZ9mB2x7',
          replaces: null,
          clockAt: '2026-09-02T08:21:36.165Z',
          polls: [
            {
              operation: 'listEmployees',
              askedAt: '2026-09-02T08:36:51.270Z',
              readTo: '2026-09-02T08:36:51.270Z',
              lagSeconds: 0,
            },
          ],
          errors: [
            {
              at: '2026-09-02T08:36:51.270Z',
              operation: 'listEmployees',
              status: 400,
              code: 'UNSUPPORTED_SORT_FIELD',
              message: 'sort does not take …; use id, email',
              requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
            },
          ],
        },
      },
    },
    deletePortalApiKey: {
      path: { id: '3vQ7kZ9mB2x6' },
      answers: {
        '200': {
          id: '3vQ7kZ9mB2x6',
          name: 'Payroll of Muster GmbH',
          status: 'deleted',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000009'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:33:48.249Z',
          expiresAt: '2026-09-02T08:59:13.424Z',
          lastUsedAt: '2026-09-02T08:36:51.270Z',
          lastFour: 'Bcde',
          createdBy: 'Petra Lang',
          lastSuccessAt: '2026-09-02T08:36:51.270Z',
          silentSince: null,
          requests: 2,
          refusals: 1,
          requestsByDay: [
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2,
          ],
          refusalsByDay: [
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
          ],
        },
      },
    },
    requestPasswordReset: {
      path: {},
      answers: { '200': { minutes: 60 } },
      request: { email: 'petra.lang@example.com' },
    },
    createPortalUser: {
      path: {},
      answers: {
        '200': {
          id: '000000000000000000000000',
          organizationId: '65f0c0ffee00000000000002',
          email: 'jan.petersen@example.com',
          name: 'Jan Petersen',
          language: 'de',
          permissions: ['HR'],
          hrTenants: ['65f0c0ffee00000000000003'],
          status: 'invited',
          createdAt: '2026-09-02T08:37:52.277Z',
          invitedUntil: '2026-09-02T08:56:10.403Z',
          lastSignInAt: null,
          link: null,
        },
        '201': {
          id: '65f0c0ffee0000000000000c',
          organizationId: '65f0c0ffee00000000000002',
          email: 'jan.petersen@example.com',
          name: 'Jan Petersen',
          language: 'de',
          permissions: ['HR'],
          hrTenants: ['65f0c0ffee00000000000003'],
          status: 'invited',
          createdAt: '2026-09-02T08:38:53.284Z',
          invitedUntil: '2026-09-02T08:57:11.410Z',
          lastSignInAt: null,
          link: null,
        },
      },
      request: {
        email: 'jan.petersen@example.com',
        name: 'Jan Petersen',
        language: 'de',
        permissions: ['HR'],
        hrTenants: ['65f0c0ffee00000000000003'],
      },
    },
    listPortalUsers: {
      path: {},
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 1,
          items: [
            {
              id: '65f0c0ffee0000000000000c',
              organizationId: '65f0c0ffee00000000000002',
              email: 'jan.petersen@example.com',
              name: 'Jan Petersen',
              language: 'de',
              permissions: ['HR'],
              hrTenants: ['65f0c0ffee00000000000003'],
              status: 'invited',
              createdAt: '2026-09-02T08:38:53.284Z',
              invitedUntil: '2026-09-02T08:57:11.410Z',
              lastSignInAt: null,
            },
          ],
        },
      },
    },
    getPortalUser: {
      path: { id: '65f0c0ffee0000000000000c' },
      answers: {
        '200': {
          id: '65f0c0ffee0000000000000c',
          organizationId: '65f0c0ffee00000000000002',
          email: 'jan.petersen@example.com',
          name: 'Jan Petersen',
          language: 'de',
          permissions: ['HR'],
          hrTenants: ['65f0c0ffee00000000000003'],
          status: 'invited',
          createdAt: '2026-09-02T08:38:53.284Z',
          invitedUntil: '2026-09-02T08:57:11.410Z',
          lastSignInAt: null,
        },
      },
    },
    updatePortalUser: {
      path: { id: '65f0c0ffee0000000000000c' },
      answers: {
        '200': {
          id: '65f0c0ffee0000000000000c',
          organizationId: '65f0c0ffee00000000000002',
          email: 'jan.petersen@example.com',
          name: 'Jan Petersen',
          language: 'de',
          permissions: ['IT'],
          hrTenants: null,
          status: 'invited',
          createdAt: '2026-09-02T08:38:53.284Z',
          invitedUntil: '2026-09-02T08:57:11.410Z',
          lastSignInAt: null,
        },
      },
      request: { permissions: ['IT'] },
    },
    invitePortalUser: {
      path: { id: '65f0c0ffee0000000000000c' },
      answers: {
        '200': {
          id: '65f0c0ffee0000000000000c',
          organizationId: '65f0c0ffee00000000000002',
          email: 'jan.petersen@example.com',
          name: 'Jan Petersen',
          language: 'de',
          permissions: ['IT'],
          hrTenants: null,
          status: 'invited',
          createdAt: '2026-09-02T08:38:53.284Z',
          invitedUntil: '2026-09-02T08:58:12.417Z',
          lastSignInAt: null,
          link: null,
        },
      },
    },
    deactivatePortalUser: {
      path: { id: '65f0c0ffee0000000000000c' },
      answers: {
        '200': {
          id: '65f0c0ffee0000000000000c',
          organizationId: '65f0c0ffee00000000000002',
          email: 'jan.petersen@example.com',
          name: 'Jan Petersen',
          language: 'de',
          permissions: ['IT'],
          hrTenants: null,
          status: 'inactive',
          createdAt: '2026-09-02T08:38:53.284Z',
          invitedUntil: null,
          lastSignInAt: null,
        },
      },
    },
    reactivatePortalUser: {
      path: { id: '65f0c0ffee0000000000000c' },
      answers: {
        '200': {
          id: '65f0c0ffee0000000000000c',
          organizationId: '65f0c0ffee00000000000002',
          email: 'jan.petersen@example.com',
          name: 'Jan Petersen',
          language: 'de',
          permissions: ['IT'],
          hrTenants: null,
          status: 'invited',
          createdAt: '2026-09-02T08:38:53.284Z',
          invitedUntil: null,
          lastSignInAt: null,
        },
      },
    },
    deletePortalUser: {
      path: { id: '65f0c0ffee0000000000000c' },
      answers: {
        '200': {
          id: '65f0c0ffee0000000000000c',
          organizationId: '65f0c0ffee00000000000002',
          email: 'jan.petersen@example.com',
          name: 'Jan Petersen',
          language: 'de',
          permissions: ['IT'],
          hrTenants: null,
          status: 'invited',
          createdAt: '2026-09-02T08:38:53.284Z',
          invitedUntil: null,
          lastSignInAt: null,
        },
      },
    },
  },
  errors: {
    INVALID_LINK: {
      error: {
        code: 'INVALID_LINK',
        message: 'The link does not work any more; ask for another one',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    CHALLENGE_EXPIRED: {
      error: {
        code: 'CHALLENGE_EXPIRED',
        message: 'This took too long, or was done already; begin again',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    DUPLICATE_RESOURCE: {
      error: {
        code: 'DUPLICATE_RESOURCE',
        message: 'The passkey is registered already',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    INVALID_STATE_TRANSITION: {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The user has not signed in at the issuer yet',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    BAD_GATEWAY: {
      error: {
        code: 'BAD_GATEWAY',
        message: 'The issuer does not answer as it should; sign in in another way',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    GATEWAY_TIMEOUT: {
      error: {
        code: 'GATEWAY_TIMEOUT',
        message: 'The issuer did not answer in time; sign in in another way',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    INVALID_REQUEST_ID: {
      error: {
        code: 'INVALID_REQUEST_ID',
        message: 'X-Request-ID must be one UUID of version 4 or 7; leave it out to have one made',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    UNKNOWN_QUERY_PARAMETER: {
      error: {
        code: 'UNKNOWN_QUERY_PARAMETER',
        message: 'Unknown query parameter "expand"; this operation has none',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    UNSUPPORTED_HEADER: {
      error: {
        code: 'UNSUPPORTED_HEADER',
        message: 'X-Tenant-ID is not supported; leave it out',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    NOT_ACCEPTABLE: {
      error: {
        code: 'NOT_ACCEPTABLE',
        message: 'The answer is application/json; allow that in Accept, or leave it out',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    INVALID_SESSION: {
      error: {
        code: 'INVALID_SESSION',
        message: 'There is no session, or it has ended; sign in',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    INVALID_REFERENCE_ID: {
      error: {
        code: 'INVALID_REFERENCE_ID',
        message: 'id in the path must be the 12 letters and digits that name a key',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    NOT_FOUND: {
      error: {
        code: 'NOT_FOUND',
        message: 'No session with this id is one of yours',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    CROSS_SITE_REQUEST: {
      error: {
        code: 'CROSS_SITE_REQUEST',
        message: 'Only pages of the portal itself may do this; use the portal',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    FRESH_SIGN_IN_REQUIRED: {
      error: {
        code: 'FRESH_SIGN_IN_REQUIRED',
        message: 'Confirm who you are, then try again',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    VALIDATION_ERROR: {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'password is required',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    UNSUPPORTED_FIELD: {
      error: {
        code: 'UNSUPPORTED_FIELD',
        message: 'Not accepted here: "remember"; leave that out, or use email, password',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    UNSUPPORTED_MEDIA_TYPE: {
      error: {
        code: 'UNSUPPORTED_MEDIA_TYPE',
        message: 'Content-Type must be application/json',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    PAYLOAD_TOO_LARGE: {
      error: {
        code: 'PAYLOAD_TOO_LARGE',
        message: 'The body is larger than 16 KiB (16,384 bytes); send less at once',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    VALIDATION_ERROR_422: {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'password must not be the e-mail',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    SIGN_IN_FAILED: {
      error: {
        code: 'SIGN_IN_FAILED',
        message: 'The e-mail and the password do not belong together; try again',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    RATE_LIMIT_EXCEEDED: {
      error: {
        code: 'RATE_LIMIT_EXCEEDED',
        message: 'There were too many attempts to sign in; wait 18 seconds, as Retry-After says',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    INVALID_FILTER_SYNTAX: {
      error: {
        code: 'INVALID_FILTER_SYNTAX',
        message: 'filter, position 24: expected a field name or (, found the end of the filter.',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    UNSUPPORTED_FILTER_FIELD: {
      error: {
        code: 'UNSUPPORTED_FILTER_FIELD',
        message:
          'filter does not take the field device; use id, createdAt, lastSeenAt, expiresAt, address, userAgent, current',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    UNSUPPORTED_FILTER_OPERATOR: {
      error: {
        code: 'UNSUPPORTED_FILTER_OPERATOR',
        message: 'createdAt does not take CONTAINS; use >, >=, <, <=, =, !=, IN, IS NULL, IS NOT NULL',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    UNSUPPORTED_SORT_FIELD: {
      error: {
        code: 'UNSUPPORTED_SORT_FIELD',
        message:
          'sort does not take device; use id, createdAt, lastSeenAt, expiresAt, address, userAgent, current',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    INVALID_REFERENCE: {
      error: {
        code: 'INVALID_REFERENCE',
        message: 'grants: the organization has no tenant ffffffffffffffffffffffff',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    PERMISSION_DENIED: {
      error: {
        code: 'PERMISSION_DENIED',
        message: 'The permission COMPANY_ADMIN is missing; ask who administrates the organization for it',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    INTERNAL_SERVER_ERROR: {
      error: {
        code: 'INTERNAL_SERVER_ERROR',
        message: 'The service failed; tell its operator the request identifier',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    SERVICE_UNAVAILABLE: {
      error: {
        code: 'SERVICE_UNAVAILABLE',
        message: 'The service cannot answer at the moment; try again later',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
  },
  ownErrors: {
    'requestPasswordReset INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'No mail server is set; ask whoever administrates Kontor for a link',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'acceptInvitation VALIDATION_ERROR': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'password must have at least 12 characters',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'changePassword VALIDATION_ERROR': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'password must have at least 12 characters',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'list VALIDATION_ERROR': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'page must be a whole number from 1 to 9007199254740991, in decimal digits',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'list VALIDATION_ERROR_422': {
      error: {
        code: 'VALIDATION_ERROR',
        message:
          'filter: a value of createdAt must be an instant in UTC, written YYYY-MM-DDTHH:mm:ss with up to 9 decimals and Z',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'deactivatePortalApiKey INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The key is deleted and stays so: create a new one',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'updatePortalApiKey INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The key is deleted and stays so: create a new one',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'reactivatePortalApiKey INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The key is deleted and stays so: create a new one',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'replacePortalApiKey INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The key is deleted: create a new one',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createPortalApiKey VALIDATION_ERROR': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'wholeOrganization must be true or false',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createPortalApiKey INVALID_REFERENCE_ID': {
      error: {
        code: 'INVALID_REFERENCE_ID',
        message: 'grants.0.tenant must be 24 hexadecimal characters',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createPortalApiKey VALIDATION_ERROR_422': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'Send either wholeOrganization: true, or grants',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createPortalUser DUPLICATE_RESOURCE': {
      error: {
        code: 'DUPLICATE_RESOURCE',
        message: 'email: a user of this installation has it; choose another one',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createPortalUser INVALID_REFERENCE': {
      error: {
        code: 'INVALID_REFERENCE',
        message: 'hrTenants: the organization has no tenant ffffffffffffffffffffffff',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'updatePortalUser VALIDATION_ERROR_422': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'permissions: you cannot take COMPANY_ADMIN from yourself; ask somebody else who has it',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'deactivatePortalUser INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'You cannot deactivate yourself; ask somebody else who has COMPANY_ADMIN',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'deletePortalUser INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'You cannot delete yourself; ask somebody else who has COMPANY_ADMIN',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
  },
  headers: {
    'X-Request-ID': '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
    'Set-Cookie':
      '__Host-kontor=kontors_65f0c0ffee00000000000001_3vQ7kZ9mB2xT_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_1pESGC; Path=/; Secure; HttpOnly; SameSite=Strict',
    BegunCookie:
      '__Host-kontor-openid=xH0pR3Yx5m0n7w9Qe2cV4bT6uJ8kL1sD3fG5hZ7aWqE; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=600',
    Location: '/portal/api/api-keys/3vQ7kZ9mB2x6',
    'Retry-After': 18,
  },
};
