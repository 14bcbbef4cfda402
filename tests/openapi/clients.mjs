// Tests clients that public generators make from the OpenAPI document, as a supplier's developer would do it. Compiles them
// strictly, and runs them against the stack that serves the document. Each client imports a small book of all kinds and meets
// refusals.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const run = promisify(execFile);
const seconds = (count) => count * 1000;

/** The output of a failed program, as a fault. */
async function faultsOfProgram(file, options, environment = {}) {
    try {
        await run(file, options, { env: { ...process.env, ...environment }, timeout: seconds(120), maxBuffer: 1 << 26 });
        return [];
    } catch (failure) {
        return [`${file} ${options.join(' ')}: ${failure.stdout ?? ''}${failure.stderr ?? ''}${failure.message}`];
    }
}

export class Clients {
    #programs;
    #folder;
    #generated;

    /** `programs` is the folder that has node_modules, `sources` the folder of the clients' hand-written files. */
    constructor(programs, sources) {
        this.#programs = programs;
        this.#folder = join(programs, 'clients');
        this.#generated = join(this.#folder, 'generated');
        rmSync(this.#folder, { recursive: true, force: true });
        cpSync(sources, this.#folder, { recursive: true });
        mkdirSync(this.#generated);
    }

    async faultsOfGenerators(documentFile) {
        const tool = (name) => join(this.#programs, 'node_modules/.bin', name);
        const into = (name) => join(this.#generated, name);
        const faults = await Promise.all([
            faultsOfProgram(tool('openapi-typescript'), [documentFile, '-o', into('schema.ts')]),
            faultsOfProgram(tool('openapi-ts'), ['-i', documentFile, '-o', into('hey'), '-c', '@hey-api/client-fetch', '--no-log-file']),
            faultsOfProgram(tool('orval'), ['--config', join(this.#folder, 'orval.config.cjs')], {
                DOCUMENT: documentFile,
                GENERATED: into('orval.ts'),
            }),
        ]);
        return faults.flat();
    }

    /**
     * Finds values whose type is unknown, although only values that can be anything may be unknown. Ignores the places where the
     * generator itself writes `unknown`: headers, and a rule on which fields are required.
     */
    faultsOfTypes() {
        const lines = readFileSync(join(this.#generated, 'schema.ts'), 'utf8').split('\n');
        return lines.filter((line, place) => {
            const code = line.replace(/"[^"]*"/g, '""').replace(/^\s*(\/?\*|\/\/).*/, '');
            const isOwn =
                /^\s*\[name: string\]: unknown;$/.test(code) ||
                /^export type (webhooks|\$defs) =/.test(code) ||
                /^\s*} & \(unknown \| unknown\);?/.test(code) ||
                /^\s*JsonValue: unknown;$/.test(code) ||
                (/^\s*\[key: string\]: unknown;$/.test(code) && /\bJsonObject: {$/.test(lines[place - 1]));
            return !isOwn && /\b(unknown|any)\b|Record<string, never>/.test(code);
        });
    }

    async faultsOfCompiler() {
        return faultsOfProgram(join(this.#programs, 'node_modules/.bin/tsc'), ['--project', this.#folder]);
    }

    /** Makes a new account, complete and with an open statement period, and returns what a client needs to know of it. */
    async #prepare(name) {
        const script = `set -eu
            $CTL supplier create "$SUPPLIER" --name "Generated client" >&2
            $CTL account stage "$SUPPLIER" "$ACCOUNT" >&2
            $CTL account complete "$SUPPLIER" "$ACCOUNT" --statement-period 2024-05-01:2024-05-31 >&2
            $CTL key create --organisation "$SUPPLIER" --supplier "$SUPPLIER"`;
        const moment = Date.now();
        const names = { SUPPLIER: `CLIENT-${name}-${moment}`, ACCOUNT: `${name}-${moment}` };
        const { stdout } = await run('bash', ['-c', script.replaceAll('$CTL', process.env.CTL)], {
            env: { ...process.env, ...names },
        });
        // The participant's code has 13 digits: the last 12 digits of the time in milliseconds since 1970, and then the length of
        // the client's name, which is one digit. If the first of the 13 digits is 0, a 1 takes its place. No other client has
        // this code, because the clients are prepared one after another.
        const participant = String(moment * 10 + name.length).slice(-13);
        return { ...names, KEY: stdout.trim(), PARTICIPANT: participant.replace(/^0/, '1') };
    }

    async faultsOfClient(name) {
        const program = join(this.#folder, `${name}.mjs`);
        const bundled = { bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'silent' };
        await build({ ...bundled, entryPoints: [join(this.#folder, `${name}.ts`)], outfile: program });
        const names = await this.#prepare(name);
        return faultsOfProgram(process.execPath, [program], { ...names, NODE_EXTRA_CA_CERTS: process.env.CA_FILE });
    }
}
