// Which view the address names: what is behind its `#`.
import { useEffect, useState } from 'preact/hooks';

export type Route =
    | { view: 'overview' }
    | { view: 'supplier'; code: string }
    | { view: 'account'; code?: string; number?: string }
    | { view: 'health' };

export function addressOf(route: Route): string {
    const parts: string[] = route.view === 'overview' ? [] : [route.view];
    if ('code' in route && route.code !== undefined) parts.push(encodeURIComponent(route.code));
    if ('number' in route && route.number !== undefined) parts.push(encodeURIComponent(route.number));
    return `#/${parts.join('/')}`;
}

function decoded(part: string | undefined): string | undefined {
    try {
        return part === undefined || part === '' ? undefined : decodeURIComponent(part);
    } catch {
        return undefined;
    }
}

export function routeOf(hash: string): Route {
    const [view, first, second] = hash.replace(/^#\/?/, '').split('/');
    const code = decoded(first);
    const number = decoded(second);
    if (view === 'supplier' && code !== undefined) return { view, code };
    if (view === 'account')
        return { view, ...(code !== undefined && { code }), ...(number !== undefined && { number }) };
    return view === 'health' ? { view } : { view: 'overview' };
}

export function useRoute(): Route {
    const [route, setRoute] = useState(() => routeOf(location.hash));
    useEffect(() => {
        const onChange = (): void => setRoute(routeOf(location.hash));
        addEventListener('hashchange', onChange);
        return () => removeEventListener('hashchange', onChange);
    }, []);
    return route;
}
