// Gives each block of commands a button that copies it without the prompts. Keeps translators from translating commands,
// names and codes.
for (const code of document.querySelectorAll('pre, code, dt')) code.translate = false;

function commandsOf(block) {
    const commands = block.cloneNode(true);
    for (const prompt of commands.querySelectorAll('.prompt')) prompt.remove();
    return `${commands.textContent.trim()}\n`;
}

for (const block of document.querySelectorAll('.guide pre')) {
    const frame = document.createElement('div');
    frame.className = 'copyable';
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', `Copy: ${block.getAttribute('aria-label') ?? 'example'}`);
    button.addEventListener('click', async () => {
        await navigator.clipboard.writeText(commandsOf(block));
        button.textContent = 'Copied';
        setTimeout(() => (button.textContent = 'Copy'), 2000);
    });
    block.replaceWith(frame);
    frame.append(button, block);
}
