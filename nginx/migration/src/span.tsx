// How far back a curve looks.
import type { Span } from './model';
import { Choice } from './parts';

const spanNames: Record<Span, string> = { hour: 'Last hour', day: 'Last day', all: 'All' };
/** The time between two questions for a curve, in milliseconds. */
export const pauses: Record<Span, number> = { hour: 2000, day: 10_000, all: 60_000 };

export function SpanChoice({ value, onChange }: { value: Span; onChange: (span: Span) => void }) {
    return <Choice name="How far back" words={spanNames} value={value} onChange={onChange} />;
}
