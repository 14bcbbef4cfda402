// An operator's next step, for every state of a supplier.
import type { ComponentChildren } from 'preact';
import { ActButton } from './acting';
import {
    type Act,
    acknowledge as acknowledging,
    createKey,
    planEnd,
    reconcile,
    resume,
    sign as signing,
    takeAcknowledgementBack,
} from './acts';
import { Command } from './command';
import { quoted } from './format';
import type { Supplier } from './model';
import { fareOf, isLate, type Step } from './state';

/** The next thing to do: a command and, for people who may act, a button. */
const Next = ({ text, command, act }: { text: string; command: string; act?: Act }) => (
    <p class="next">
        {text} <Command text={command} /> {act !== undefined && <ActButton act={act} />}
    </p>
);

const acknowledge = (of: Supplier, code: string) => (
    <Next
        text="If nobody has to look at them until there are more, acknowledge them, with the reason between the quotes:"
        command={`data-importctl supplier acknowledge --reason '' -- ${code}`}
        act={acknowledging(of.code)}
    />
);

const compare = (of: Supplier, code: string, text: string) => (
    <Next text={text} command={`data-importctl reconcile -- ${code} totals.csv`} act={reconcile(of.code)} />
);

const askForAccounts =
    'Ask the supplier for a file of its accounts, which data-import-load --totals --per-account totals.csv writes, and compare account by account:';

/** The sentence and the commands of each step; `code` is quoted for a shell. */
const steps: Record<Step, (of: Supplier, code: string, isExplained: boolean | undefined) => ComponentChildren> = {
    resume: (of, code) => (
        <Next
            text="Take up the migration again:"
            command={`data-importctl supplier set --status Ongoing -- ${code}`}
            act={resume(of.code)}
        />
    ),
    restart: (of, code) => (
        <>
            <Next
                text="Nothing comes any more, although accounts are open. See what was refused last:"
                command={`data-importctl import log --supplier=${code}`}
            />
            {of.accounts.in_progress > 0 && (
                <Next
                    text="The platform has accounts in progress. List those that have taken an hour:"
                    command={`data-importctl account list --stuck=1 -- ${code}`}
                />
            )}
            <p class="next">If there is nothing, ask the supplier whether its client runs.</p>
        </>
    ),
    'sign again': (of, code) => (
        <Next
            text="Accounts, records, declared or booked totals, or accepted differences have changed since the report was signed. If they are right, sign a new one, with your name between the quotes:"
            command={`data-importctl report --signed-by '' -- ${code}`}
            act={signing(of.code)}
        />
    ),
    'look at failures': (of, code) => (
        <>
            <Next
                text="List the accounts that have failed, with their reasons; below each reason stands the command that has its accounts tried again:"
                command={`data-importctl account list --state=failed -- ${code}`}
            />
            {acknowledge(of, code)}
        </>
    ),
    'look at refusals': (of, code) => (
        <>
            <p class="next">See below why requests were refused. “Copy as mail” tells the supplier.</p>
            {acknowledge(of, code)}
        </>
    ),
    'look at attempts': (_, code) => (
        <Next
            text="An attempt on the platform takes long. List those that have taken an hour:"
            command={`data-importctl account list --stuck=1 -- ${code}`}
        />
    ),
    compare: (of, code) => compare(of, code, askForAccounts),
    explain: (of, code) => (
        <>
            {compare(of, code, askForAccounts)}
            <Next
                text="Import what is missing, or accept what remains, with reasons:"
                command={`data-importctl reconcile --accept reasons.csv -- ${code} totals.csv`}
            />
        </>
    ),
    book: (_, code) => (
        <>
            <p class="next">
                The platform has booked other totals than are stored: see “Booked by” below. Have it book what is missing, and declare
                again what it has booked.
            </p>
            <Next
                text="Or accept the differences, with the name of the consumer and the reason between the quotes:"
                command={`data-importctl consumer accept --reason '' -- '' ${code}`}
            />
        </>
    ),
    'finish accounts': (of, code) => (
        <Next
            text="Accounts are open, and the supplier takes no more imports. Take up the migration again until they are imported:"
            command={`data-importctl supplier set --status Ongoing -- ${code}`}
            act={resume(of.code)}
        />
    ),
    declare: () => (
        <Next
            text="Nothing shows yet whether everything has arrived. Ask the supplier to declare its totals:"
            command="data-import-load --totals --declare --url URL --api-key-file FILE book/"
        />
    ),
    sign: (of, code) => (
        <>
            <p>
                {of.verdict === 'EQUAL'
                    ? 'All declared totals equal the stored ones.'
                    : 'Accepted differences explain all differences of the control totals.'}
            </p>
            {compare(of, code, 'First compare account by account, with a file of the supplier:')}
            <Next
                text="Then sign the report, with your name between the quotes:"
                command={`data-importctl report --signed-by '' -- ${code}`}
                act={signing(of.code)}
            />
        </>
    ),
    complete: (_, code) => (
        <Next
            text="The report is signed. End the migration, so that nothing is imported any more:"
            command={`data-importctl supplier set --status Complete -- ${code}`}
        />
    ),
    stage: (_, code) => (
        <Next text="Stage the supplier's accounts, from a file:" command={`data-importctl account load -- ${code} accounts.csv`} />
    ),
    invite: (of, code) => (
        <Next
            text="Nothing has come yet. The supplier needs an API key; give its organisation between the quotes:"
            command={`data-importctl key create --organisation '' --supplier=${code}`}
            act={createKey(of.code)}
        />
    ),
    none: (of) => (
        <p class="dim">
            {of.status === 'Complete' ? 'The migration is over: nothing is left to do.' : 'Nothing is to be done: imports go on.'}
        </p>
    ),
};

export function NextStep({ of, now, isExplained }: { of: Supplier; now: Date; isExplained: boolean | undefined }) {
    const code = quoted(of.code);
    const { step, look } = fareOf(of, now, isExplained);
    const { acknowledged } = of;
    return (
        <div class={`answer ${step === 'sign' ? 'good' : ''}`}>
            {isLate(of, now, isExplained) && (
                <Next
                    text="The planned day is over. Agree on a new one, a date like 2026-12-31:"
                    command={`data-importctl supplier set --planned-end=DATE -- ${code}`}
                    act={planEnd(of.code)}
                />
            )}
            {look === 'warning' && step === 'none' ? (
                <p class="dim">
                    Imports go on, but will not end by the planned day. Ask the supplier for more at once, or plan another day.
                </p>
            ) : (
                steps[step](of, code, isExplained)
            )}
            {acknowledged != null && (
                <p class="dim">
                    {acknowledged.by} has acknowledged {acknowledged.failed} failed and {acknowledged.refused} refused: {acknowledged.reason}{' '}
                    <ActButton act={takeAcknowledgementBack(of.code)} />
                </p>
            )}
        </div>
    );
}
