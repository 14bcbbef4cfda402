// Gives each block of commands a button that copies it.
for (const block of document.querySelectorAll('.guide pre')) {
    const frame = document.createElement('div');
    frame.className = 'copyable';
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', `Copy: ${block.getAttribute('aria-label') ?? 'example'}`);
    button.addEventListener('click', async () => {
        await navigator.clipboard.writeText(`${block.textContent.trim()}\n`);
        button.textContent = 'Copied';
        setTimeout(() => (button.textContent = 'Copy'), 2000);
    });
    block.replaceWith(frame);
    frame.append(block, button);
}
