/** Client-side script for listings. It adds a filter and shows local times. If the script does not run, times are in the server's time zone. */
export const pageScript = `
for(const time of document.querySelectorAll('time')){const date=new Date(time.dateTime);if(!isNaN(date)){time.title=time.textContent;time.textContent=date.toLocaleString(undefined,{dateStyle:'medium',timeStyle:'short'})}}
const filter=document.getElementById('filter');
filter.hidden=false;
filter.addEventListener('input',()=>{const wanted=filter.value.trim().toLowerCase();for(const item of document.querySelectorAll('main li:not(.up)'))item.hidden=!item.querySelector('.name').textContent.toLowerCase().includes(wanted)});
`;
