// The page: the viewer, the view, and whether its figures are fresh.
import { render } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { AccountView } from './account';
import { ActDialog } from './act_dialog';
import { Acting } from './acting';
import type { Act } from './acts';
import { Audit } from './audit';
import { zone } from './format';
import { Freshness } from './freshness';
import { Health } from './health';
import { useFreshness, useLive } from './live';
import type { Person, Source } from './model';
import { operators } from './operators';
import { Overview } from './overview';
import { FileMenu } from './files';
import { Code, Notice, TellsRequests } from './parts';
import { addressOf, type Route, useRoute } from './route';
import { RequestView, SearchField, SearchView } from './search';
import { SignIn } from './signin';
import type { Session } from './suppliers';
import { SupplierView } from './supplier';
import { useStandstill } from './standstill';
import { choose, useTheme } from './theme';

/** Tells the viewer how to make a page that stands still work again. */
function Standstill() {
    const reason = useStandstill();
    return reason === undefined ? null : (
        <Notice kind="failure">
            {reason === 'Translated'
                ? 'The browser translates this page, and figures in it no longer change. Switch the translation off, and reload the page.'
                : 'A part of this page has failed, and figures in it may no longer change. Reload the page.'}
        </Notice>
    );
}

/** Names each current failure once. */
function Failures({ source }: { source: Source }) {
    const { failures } = useFreshness();
    return (
        <>
            {[...new Set(failures.map(({ message }) => message))].map((message) => (
                <Notice key={message} kind="failure">
                    {message}
                    {source.kind === 'operators' && (
                        <>
                            {' '}
                            <Code text="data-importctl doctor" /> finds the reason.
                        </>
                    )}
                </Notice>
            ))}
        </>
    );
}

function ThemeButton() {
    const theme = useTheme();
    const other = theme === 'dark' ? 'light' : 'dark';
    return (
        <button type="button" class="quiet" onClick={() => choose(other)}>
            {other === 'dark' ? 'Dark' : 'Light'}
            <span class="hidden"> colours</span>
        </button>
    );
}

const titles: Record<Route['view'], string> = {
    overview: 'Overview',
    supplier: 'Supplier',
    account: 'Account',
    search: 'Search',
    request: 'Request',
    audit: 'Audit',
    health: 'Health',
};

function Navigation({ route, source, person }: { route: Route; source: Source; person: Person | undefined }) {
    const views: Route[] = [
        { view: 'overview' },
        ...(person === undefined || person.refusal !== undefined ? [] : [{ view: 'audit' } as const]),
        ...(source.metrics === undefined ? [] : [{ view: 'health' } as const]),
    ];
    return (
        <nav aria-label="Views">
            {views.map((one) => (
                <a key={one.view} href={addressOf(one)} aria-current={titles[one.view] === titles[route.view] ? 'page' : undefined}>
                    {titles[one.view]}
                </a>
            ))}
        </nav>
    );
}

function View({ route, source }: { route: Route; source: Source }) {
    switch (route.view) {
        case 'overview':
            return <Overview source={source} />;
        case 'supplier':
            return <SupplierView key={route.code} source={source} code={route.code} />;
        case 'account':
            return <AccountView key={`${route.code} ${route.number}`} source={source} {...route} />;
        case 'search':
            return <SearchView key={route.text} source={source} text={route.text} />;
        case 'request':
            return source.request === undefined ? (
                <SearchView key={route.id} source={source} text={route.id} />
            ) : (
                <RequestView source={source} {...route} />
            );
        case 'audit':
            return source.audit === undefined ? <Overview source={source} /> : <Audit ask={source.audit} id={route.id} />;
        case 'health':
            return source.metrics === undefined ? <Overview source={source} /> : <Health source={source} />;
    }
}

/** Returns the person who has signed in; undefined if acts are not available. */
function usePerson(source: Source | undefined): Person | undefined {
    const { value, failure } = useLive('person', 5000, source?.person);
    return failure?.isNotAvailable === true ? undefined : value;
}

function Name({ of: { name, role } }: { of: Person }) {
    return (
        <p class="person" title={role}>
            {name}
            <span class="dim">, {role}</span>
        </p>
    );
}

function App({ isForOperators }: { isForOperators: boolean }) {
    const route = useRoute();
    const [session, setSession] = useState<Session | undefined>(undefined);
    const [wasSignedIn, setWasSignedIn] = useState(false);
    const source: Source | undefined = isForOperators ? operators : session;
    const person = usePerson(source);
    const [begun, setBegun] = useState<{ act: Act; opener: HTMLElement } | undefined>(undefined);
    const acting = useMemo(() => ({ person, begin: (act: Act, opener: HTMLElement) => setBegun({ act, opener }) }), [person]);
    const main = useRef<HTMLElement>(null);
    const isFirst = useRef(true);
    const name = 'code' in route && route.code !== undefined ? `${route.code} – ` : '';

    useEffect(() => {
        document.title = `${name}${titles[route.view]} – Migration`;
        // users of a screen reader or of the keyboard begin at the new view
        if (!isFirst.current) main.current?.focus();
        isFirst.current = false;
    }, [name, route.view]);

    const end = (): void => {
        setSession(undefined);
        setWasSignedIn(true);
    };
    return (
        <>
            <a
                class="skip"
                href="#main"
                onClick={(event) => {
                    event.preventDefault();
                    main.current?.focus();
                }}
            >
                Skip to the content
            </a>
            <header class="page">
                <h1>
                    <a href="#/">Migration</a>
                </h1>
                {source !== undefined && <Navigation route={route} source={source} person={person} />}
                {source !== undefined && <SearchField text={route.view === 'search' ? route.text : ''} />}
                <div class="right">
                    {person !== undefined && person.refusal === undefined && <Name of={person} />}
                    {source !== undefined && <Freshness />}
                    <FileMenu />
                    <ThemeButton />
                    {session !== undefined && (
                        <button
                            type="button"
                            class="quiet"
                            onClick={() => {
                                setSession(undefined);
                                setWasSignedIn(false);
                            }}
                        >
                            Sign out
                        </button>
                    )}
                </div>
            </header>
            <main id="main" ref={main} tabIndex={-1}>
                {source === undefined ? (
                    <SignIn wasSignedIn={wasSignedIn} onSession={setSession} onEnd={end} />
                ) : (
                    <TellsRequests.Provider value={source.request !== undefined}>
                        <Acting.Provider value={acting}>
                            <Standstill />
                            <Failures source={source} />
                            {person?.refusal !== undefined && <Notice>You can read here, and not act: {person.refusal}</Notice>}
                            <View route={route} source={source} />
                        </Acting.Provider>
                    </TellsRequests.Provider>
                )}
            </main>
            {begun !== undefined && <ActDialog {...begun} source={source!} onEnd={() => setBegun(undefined)} />}
            {source !== undefined && <p class="zone">Times on this page are those of {zone()}.</p>}
        </>
    );
}

const target = document.getElementById('page')!;
target.textContent = '';
render(<App isForOperators={target.dataset['for'] === 'operators'} />, target);
