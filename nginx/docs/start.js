// Shows the OpenAPI document of the server that serves this page, and a table of contents beside it. Asks no other host:
// by default, the viewer would send the document's address to a validator on the Internet.

// A collapsed operation is opened by a click on its line.
function show(target) {
    if (target.matches('.opblock:not(.is-open)')) target.querySelector('.opblock-summary-control')?.click();
    target.scrollIntoView();
}

function addEntry(list, text, target, address = `#${target.id}`) {
    const link = document.createElement('a');
    link.textContent = text;
    link.href = address;
    link.addEventListener('click', () => show(target));
    const item = document.createElement('li');
    item.append(link);
    list.append(item);
    return item;
}

function addList(parent) {
    const list = document.createElement('ul');
    parent.append(list);
    return list;
}

function addOperations(list) {
    for (const section of document.querySelectorAll('.opblock-tag-section')) {
        const heading = section.querySelector('.opblock-tag');
        const operations = addList(addEntry(list, heading.dataset.tag, heading));
        for (const operation of section.querySelectorAll('.opblock')) {
            const method = operation.querySelector('.opblock-summary-method').textContent;
            const path = operation.querySelector('.opblock-summary-path').dataset.path.replace('/v1/data-import', '');
            // the operation's address in the viewer
            const name = operation.id.split('-').at(-1);
            addEntry(operations, `${method} ${path}`, operation, `#/${encodeURIComponent(heading.dataset.tag)}/${name}`);
        }
    }
}

function writeContents() {
    const list = addList(document.querySelector('#contents details'));
    for (const heading of document.querySelectorAll('.information-container h2')) {
        if (heading.classList.contains('title')) continue;
        heading.id = heading.textContent.toLowerCase().replace(/[^a-z0-9]+/g, '-');
        addEntry(list, heading.textContent, heading);
    }
    addOperations(list);
}

// Gives each error code an address of its own, such as /docs/#code-not-found.
function nameCodes() {
    for (const table of document.querySelectorAll('.information-container table')) {
        const place = [...table.querySelectorAll('thead th')].findIndex((heading) => heading.textContent === 'code');
        if (place < 0) continue;
        for (const row of table.querySelectorAll('tbody tr')) {
            const cell = row.cells[place];
            row.id = `code-${cell.textContent.replaceAll('_', '-')}`; // the viewer gives `_` in a hash another meaning
            const link = document.createElement('a');
            link.href = `#${row.id}`;
            link.append(...cell.childNodes);
            cell.append(link);
        }
    }
}

// Gives names and the keyboard's focus to parts of the viewer that have none. The viewer makes parts when they are
// opened.
function nameParts() {
    for (const field of document.querySelectorAll('#documentation :is(select, input, textarea):not([aria-label])')) {
        if (field.labels.length > 0 && field.id !== 'servers') continue; // the label of `servers` has no text
        field.setAttribute('aria-label', field.closest('[data-param-name]')?.dataset.paramName ?? (field.id || 'value'));
    }
    for (const text of document.querySelectorAll('#documentation pre:not(.version, [tabindex])')) text.tabIndex = 0;
}

// Replaces links inside of buttons by their text. With a link, the keyboard would stop twice at each button. The link is not
// needed, because a click on the button puts the same fragment (#...) into the page's URL.
const withoutLinks = () => ({ components: { DeepLink: ({ text }) => text } });

function targetOf(hash) {
    const [, tag, name] = hash.match(/^#\/([^/]+)\/(.+)$/) ?? [];
    return document.getElementById(tag ? `operations-${decodeURIComponent(tag).replaceAll(' ', '_')}-${name}` : hash.slice(1));
}

// Follows a link of the search to a place on this page, before the search removes its list.
const follow = ({ target }) => {
    const link = target.closest('.places a');
    const found = link?.pathname === location.pathname ? targetOf(link.hash) : undefined;
    if (found) show(found);
};
document.addEventListener('click', follow, { capture: true });

// Removes the fragment (#...) from the page's URL before the viewer starts. onComplete puts the fragment back when the viewer has
// shown the document, and shows the element that the fragment names.
//
// The viewer would take the fragment of an error code or of a heading for one of its own fragments. It would also warn of `_` in
// the fragment of an operation.
const askedFor = location.hash;
if (askedFor) history.replaceState(null, '', location.pathname);

const dark = globalThis.matchMedia('(prefers-color-scheme: dark)');
const takeTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', takeTheme);
takeTheme();

// The table of contents is open if it stands next to the text; on a small screen it would hide the text.
document.querySelector('#contents details').open = globalThis.matchMedia('(min-width: 1100px)').matches;

new MutationObserver(nameParts).observe(document.querySelector('#documentation'), { childList: true, subtree: true });

SwaggerUIBundle({
    url: '/v1/openapi.json',
    dom_id: '#documentation',
    validatorUrl: null,
    queryConfigEnabled: false,
    deepLinking: true,
    plugins: [withoutLinks],
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    requestSnippetsEnabled: true,
    onComplete: () => {
        writeContents();
        nameCodes();
        const target = targetOf(askedFor);
        if (!target) return;
        location.hash = askedFor;
        show(target);
    },
});
