# bash completion for data-importctl and data-import-load, which find the candidates themselves
# shellcheck shell=bash

# bash also splits words at the characters of COMP_WORDBREAKS (A:1 at its colon), and a candidate replaces only the last piece of
# a word. So this function joins the pieces again, and removes from each candidate the pieces that the line has already.
_data_import() {
    local line=$COMP_LINE piece=${COMP_WORDS[COMP_CWORD]} words=() asked=() word there kind option=''
    for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
        if [[ ${#words[@]} == 0 || $line == [[:blank:]]* ]]; then words+=("$word"); else words[-1]+=$word; fi
        line=${line#"${line%%[![:blank:]]*}"}
        line=${line#"$word"}
    done
    for word in "${words[@]:1}"; do
        word=${word#[\'\"]} word=${word%[\'\"]}
        asked+=("${word//\\/}")
    done
    there=${words[-1]}
    [[ $piece == [:=]* ]] || there=${there%"$piece"}
    mapfile -t COMPREPLY < <("${words[0]}" --complete "${asked[@]}" 2>/dev/null </dev/null)
    kind=${COMPREPLY[0]:-} COMPREPLY=("${COMPREPLY[@]:1}")
    if [[ $kind == files ]]; then
        word=${asked[-1]}
        [[ $word != --*=* ]] || { option=${word%%=*}=; word=${word#*=}; }
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        COMPREPLY=("${COMPREPLY[@]/#/"$option"}")
        compopt -o filenames 2>/dev/null
    else
        # quotes names, which come from the database as they are, so that the shell expands nothing in them
        for word in "${!COMPREPLY[@]}"; do printf -v "COMPREPLY[word]" %q "${COMPREPLY[word]}"; done
    fi
    COMPREPLY=("${COMPREPLY[@]#"$there"}")
}
complete -F _data_import data-importctl data-import-load
