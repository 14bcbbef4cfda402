// The page: the viewer, the view, and whether its figures are fresh.
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { AccountView } from './account';
import { duration, time, utc, zone } from './format';
import { Health } from './health';
import { useFreshness, useNow } from './live';
import type { Source } from './model';
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

function Freshness() {
    const { at, failures } = useFreshness();
    const now = useNow();
    const reason = useStandstill();
    if (at === undefined && failures.length === 0) return null;
    const age = at === undefined ? undefined : now.getTime() - at.getTime();
    const isStale = failures.length > 0 || (age ?? 0) > 45_000;
    if (reason !== undefined)
        return (
            <p key={reason} class="freshness stale">
                <span class="dot" aria-hidden="true" />
                <span class="words">{reason}</span>
            </p>
        );
    return (
        <p class={isStale ? 'freshness stale' : 'freshness'}>
            <span class="dot" aria-hidden="true" />
            <span class="words">
                {isStale ? 'Not fresh: ' : 'Live: '}
                {at === undefined ? (
                    'nothing has come yet'
                ) : (
                    <time dateTime={at.toISOString()} title={utc(at)}>
                        {time(at)}
                        {isStale && ` (${duration(age!)} ago)`}
                    </time>
                )}
            </span>
        </p>
    );
}

/** Tells the viewer how to bring a page that stands still to life. */
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

/** Names each fault of the present once. */
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
    health: 'Health',
};

function Navigation({ route, source }: { route: Route; source: Source }) {
    const views: Route[] = [
        { view: 'overview' },
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
        case 'health':
            return source.metrics === undefined ? <Overview source={source} /> : <Health source={source} />;
    }
}

function App({ isForOperators }: { isForOperators: boolean }) {
    const route = useRoute();
    const [session, setSession] = useState<Session | undefined>(undefined);
    const [wasSignedIn, setWasSignedIn] = useState(false);
    const source: Source | undefined = isForOperators ? operators : session;
    const main = useRef<HTMLElement>(null);
    const isFirst = useRef(true);
    const name = 'code' in route && route.code !== undefined ? `${route.code} – ` : '';

    useEffect(() => {
        document.title = `${name}${titles[route.view]} – Migration`;
        // readers by ear or by keyboard begin at the new view
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
                {source !== undefined && <Navigation route={route} source={source} />}
                {source !== undefined && <SearchField text={route.view === 'search' ? route.text : ''} />}
                <div class="right">
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
                        <Standstill />
                        <Failures source={source} />
                        <View route={route} source={source} />
                    </TellsRequests.Provider>
                )}
            </main>
            {source !== undefined && <p class="zone">Times on this page are those of {zone()}.</p>}
        </>
    );
}

const target = document.getElementById('page')!;
target.textContent = '';
render(<App isForOperators={target.dataset['for'] === 'operators'} />, target);
