// The view that the part of the address after `#` names.
import { useEffect, useState } from 'preact/hooks';

export type Route =
    | { view: 'overview' }
    | { view: 'supplier'; code: string }
    | { view: 'account'; code: string; number: string }
    | { view: 'search'; text: string }
    | { view: 'request'; id: string; code?: string; number?: string }
    | { view: 'audit'; id?: string }
    | { view: 'health' };

export function addressOf(route: Route): string {
    const parts: string[] = route.view === 'overview' ? [] : [route.view];
    if ('id' in route && route.id !== undefined) parts.push(encodeURIComponent(route.id));
    if ('text' in route) parts.push(encodeURIComponent(route.text));
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
    const [view, first, second, third] = hash.replace(/^#\/?/, '').split('/');
    const code = decoded(first);
    const number = decoded(second);
    if (view === 'supplier' && code !== undefined) return { view, code };
    if (view === 'account' && code !== undefined && number !== undefined) return { view, code, number };
    if (view === 'search' && code !== undefined) return { view, text: code };
    if (view === 'request' && code !== undefined) {
        const ofNumber = decoded(third);
        const isOfAccount = number !== undefined && ofNumber !== undefined;
        return { view, id: code, ...(isOfAccount && { code: number, number: ofNumber }) };
    }
    if (view === 'audit') return { view, ...(code !== undefined && { id: code }) };
    return view === 'health' ? { view } : { view: 'overview' };
}

export function useRoute(): Route {
    const [route, setRoute] = useState(() => routeOf(location.hash));
    useEffect(() => {
        const onChange = (): void => setRoute(routeOf(location.hash));
        addEventListener('hashchange', onChange);
        onChange(); // the address may have changed before there was a listener
        return () => removeEventListener('hashchange', onChange);
    }, []);
    return route;
}
