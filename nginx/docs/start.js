// Shows the document of the server that this page comes from, and a table of contents beside it. Nothing is asked of any
// other host: the viewer's own default would send the document's address to a validator on the Internet.

function addEntry(list, text, target, open) {
    const link = document.createElement('a');
    link.textContent = text;
    link.href = `#${target.id}`;
    link.addEventListener('click', (event) => {
        event.preventDefault();
        open?.();
        target.scrollIntoView();
    });
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

// A collapsed operation is opened by a click on its line.
const opener = (operation) => () => {
    if (!operation.classList.contains('is-open')) operation.querySelector('.opblock-summary-control')?.click();
};

function addOperations(list) {
    for (const section of document.querySelectorAll('.opblock-tag-section')) {
        const heading = section.querySelector('.opblock-tag');
        const operations = addList(addEntry(list, heading.dataset.tag, heading));
        for (const operation of section.querySelectorAll('.opblock')) {
            const method = operation.querySelector('.opblock-summary-method').textContent;
            const path = operation.querySelector('.opblock-summary-path').dataset.path.replace('/v1/data-import', '');
            addEntry(operations, `${method} ${path}`, operation, opener(operation));
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

// Beside the text it is open; on a small screen it would hide the text.
document.querySelector('#contents details').open = globalThis.matchMedia('(min-width: 1100px)').matches;

SwaggerUIBundle({
    url: '/v1/openapi.json',
    dom_id: '#documentation',
    validatorUrl: null,
    queryConfigEnabled: false,
    deepLinking: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    requestSnippetsEnabled: true,
    onComplete: writeContents,
});
