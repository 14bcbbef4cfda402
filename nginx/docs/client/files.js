// Lists the files of the client that this server offers, which SHA256SUMS names. Without SHA256SUMS, no files are
// installed.
const answer = await fetch('SHA256SUMS');
if (answer.ok) {
    const list = document.createElement('ul');
    for (const [, , name] of (await answer.text()).matchAll(/^([0-9a-f]{64}) [ *](\S+)$/gm)) {
        const link = document.createElement('a');
        link.href = name;
        link.textContent = name;
        const item = document.createElement('li');
        item.append(link);
        list.append(item);
    }
    const sums = document.createElement('a');
    sums.href = 'SHA256SUMS';
    sums.textContent = 'SHA256SUMS';
    const item = document.createElement('li');
    item.append(sums);
    list.append(item);
    const text = document.querySelector('#files');
    text.textContent = 'This server offers:';
    text.after(list);
}
