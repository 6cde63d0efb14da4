import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from './client.ts';
import { generateWithOpenApiGenerator } from './java.ts';
import { install, run, sessions } from './sandbox.ts';
import { versions } from './versions.ts';

/** Without TLS, which the session does not need: its libraries take minutes to compile. */
const manifest = `[package]
name = "session"
version = "0.0.0"
edition = "2021"

[dependencies]
kontor_client = { path = "../client", default-features = false }
reqwest = { version = "${versions.reqwest}", default-features = false }
serde_json = "${versions.serde_json}"
tokio = { version = "${versions.tokio}", features = ["macros", "rt"] }
`;

export const rustClients: readonly Client[] = [
  {
    name: 'OpenAPI Generator, rust',
    version: versions['openapi-generator-cli'],
    language: 'rust',
    needs: ['cargo', 'python3'],
    async make(folder) {
      const options = 'packageName=kontor_client,supportMultipleResponses=true';
      await generateWithOpenApiGenerator(folder, 'rust', ['--additional-properties', options]);
      await mkdir(path.join(folder, 'session/src'), { recursive: true });
      await writeFile(path.join(folder, 'session/Cargo.toml'), manifest);
      await copyFile(path.join(sessions, 'session.rs'), path.join(folder, 'session/src/main.rs'));
      await install(folder, ['cargo', 'fetch', '--quiet', '--manifest-path', 'session/Cargo.toml']);
      await run(folder, ['cargo', 'build', '--quiet', '--manifest-path', 'session/Cargo.toml']);
    },
    session: () => ['session/target/debug/session'],
    advice:
      'Generate with `supportMultipleResponses=true`; a null is `Some(None)`. All errors have the first variant in `entity`: read `status`, and the envelope in `content`.',
  },
];
