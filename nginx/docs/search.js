// Adds a search field to the page. The first search loads the search index, which search.mjs has written. The key /
// moves the focus to the field. The arrow keys move the focus through the places found. Escape clears the field and
// moves the focus back to the field.
const most = 12;

const element = (name, attributes, ...content) => {
    const made = Object.assign(document.createElement(name), attributes);
    made.append(...content);
    return made;
};

const field = element('input', { type: 'search', placeholder: 'Search', autocomplete: 'off', maxLength: 200 });
field.setAttribute('aria-label', 'Search these pages');
field.setAttribute('aria-keyshortcuts', '/');
const said = element('p', { className: 'said' });
said.setAttribute('role', 'status');
const places = element('ol', { className: 'places' });
const form = element('form', { className: 'search', role: 'search' }, field, element('kbd', { ariaHidden: 'true' }, '/'), said, places);
(document.querySelector('#contents') ?? document.querySelector('main')).prepend(form);

/** Returns how well a section answers the search; 0 if a word is missing. */
function weight([, heading, , text], words) {
    const head = heading.toLowerCase();
    const body = text.toLowerCase();
    let sum = 0;
    for (const word of words) {
        if (!head.includes(word) && !body.includes(word)) return 0;
        if (head === word) sum += 40;
        if (head.includes(word)) sum += 10;
        if (head.startsWith(word) || head.includes(` ${word}`)) sum += 5;
        sum += Math.min(3, body.split(word).length - 1);
    }
    return sum;
}

/** Returns the text around the first word found in it, and marks the word. */
function excerpt(text, words) {
    const around = 70;
    const low = text.toLowerCase();
    const found = words.map((word) => [low.indexOf(word), word.length]).find(([at]) => at >= 0);
    if (found === undefined || low.length !== text.length) return [text.slice(0, 2 * around)];
    const [at, length] = found;
    const end = Math.max(at + length, text.lastIndexOf(' ', at + length + around));
    const from = at <= around ? 0 : text.lastIndexOf(' ', at - around) + 1;
    return [
        (from > 0 ? '… ' : '') + text.slice(from, at),
        element('mark', {}, text.slice(at, at + length)),
        `${text.slice(at + length, end)} …`,
    ];
}

function place([page, heading, address, text], words) {
    const link = element('a', { href: address }, element('b', {}, heading), element('small', {}, page));
    link.addEventListener('click', clear);
    return element('li', {}, link, element('p', {}, ...excerpt(text, words)));
}

function clear() {
    field.value = '';
    said.textContent = '';
    places.replaceChildren();
}

function show(sections, words) {
    const found = sections
        .map((section) => ({ section, weight: weight(section, words) }))
        .filter((one) => one.weight > 0)
        .sort((one, other) => other.weight - one.weight);
    const count = found.length === 1 ? '1 place' : `${found.length || 'no'} places`;
    said.textContent = found.length > most ? `the best ${most} of ${count}` : count;
    places.replaceChildren(...found.slice(0, most).map(({ section }) => place(section, words)));
}

async function search() {
    const words = () => field.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words().length === 0) return clear();
    try {
        const { sections } = await import('./search-index.js');
        if (words().length > 0) show(sections, words());
    } catch {
        said.textContent = 'The index cannot be loaded: reload this page.';
    }
}

/** The field and the places found, in their order. */
const stops = () => [field, ...places.querySelectorAll('a')];

function move(event, step) {
    const at = stops().indexOf(document.activeElement);
    const next = stops()[at + step];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    next.focus();
}

field.addEventListener('input', () => void search());
form.addEventListener('submit', (event) => {
    event.preventDefault();
    places.querySelector('a')?.click();
});
form.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') move(event, 1);
    if (event.key === 'ArrowUp') move(event, -1);
    if (event.key !== 'Escape') return;
    clear();
    field.focus();
});
document.addEventListener('keydown', (event) => {
    const isTyped = event.target.closest('input, textarea, select, [contenteditable]') !== null;
    if (event.key !== '/' || isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
});
