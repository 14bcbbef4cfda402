// Named checks for the programs that judge a running service from outside.

/** Counts passed checks and prints failed ones. A check returns its faults as texts; it passes if there are none. */
export class Checks {
    #suite;
    #hide;
    #passed = 0;
    #failed = 0;

    /** `hide` removes secrets from a text before it is printed. */
    constructor(suite, hide = (text) => text) {
        this.#suite = suite;
        this.#hide = hide;
    }

    async check(name, findFaults) {
        const begin = performance.now();
        let faults;
        try {
            faults = await findFaults();
        } catch (failure) {
            faults = [failure.stack];
        }
        const took = Math.round(performance.now() - begin);
        if (took > 1000) console.log(`${name}: ${took} ms`);
        if (faults.length === 0) {
            this.#passed += 1;
            return;
        }
        this.#failed += 1;
        console.log(`FAILED: ${this.#suite}: ${name}`);
        for (const fault of faults.slice(0, 20)) console.log(`    ${this.#hide(fault).slice(0, 2000)}`);
    }

    /** Prints the last line, and sets the exit status to 1 if anything failed. */
    finish() {
        console.log(`${this.#passed} passed, ${this.#failed} failed, 0 skipped`);
        process.exitCode = this.#failed === 0 ? 0 : 1;
    }
}
