// A curve so small that it fits into a line of text. The number next to it tells its value.

export function Spark({ values }: { values: readonly number[] }) {
    const most = Math.max(1, ...values);
    const width = Math.max(1, values.length - 1);
    const points = values.map((value, place) => `${place},${(10 - (value / most) * 9.5).toFixed(2)}`).join(' ');
    return (
        <svg class="spark" viewBox={`0 0 ${width} 10`} preserveAspectRatio="none" aria-hidden="true">
            <polygon points={`0,10 ${points} ${width},10`} />
            <polyline points={points} />
        </svg>
    );
}
